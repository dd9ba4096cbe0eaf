import Bluebonnet

/// The Swift task of one exchange, which is work for the exchange's clock only while it runs.
final class ExchangeTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var runCount = 0
        var isCancelled = false
    }

    private let exchange: Exchange
    private let clock: (any WorkObservingClock)?
    private let state = Locked(State())

    init(of exchange: Exchange) {
        self.exchange = exchange
        clock = exchange.clock as? any WorkObservingClock
    }

    /// Runs a closure; any earlier closure must have reached its end.
    func run(_ body: @escaping @Sendable () async -> Void) {
        let number = state.withLock { state in
            state.runCount += 1
            return state.runCount
        }
        let task = Task(executorPreference: clock?.taskExecutor, operation: body)
        let isCancelled = state.withLock { state in
            // The closure might already have started the next one.
            if number == state.runCount { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Cancels the closure that is running, and any later one.
    @Sendable func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task.take()
        }
        task?.cancel()
    }

    /// Reads the body of the request and passes it on: at once if it is in memory, and empty if
    /// there is none.
    func readBody(
        then handle: @escaping @Sendable (Result<Data, Exchange.Failure>) -> Void
    ) {
        switch exchange.body {
        case nil: handle(.success(Data()))
        case .data(let data): handle(.success(data))
        case .stream(let stream):
            run { [clock] in
                // A stream that blocks is read on a thread that the clock does not observe.
                if stream.mayBlock { clock?.workDidBegin() }
                defer { if stream.mayBlock { clock?.workDidEnd() } }
                do throws(Exchange.Failure) {
                    handle(.success(try await Exchange.Body.stream(stream).read()))
                } catch {
                    handle(.failure(error))
                }
            }
        }
    }
}
