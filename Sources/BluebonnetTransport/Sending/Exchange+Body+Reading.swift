public import Foundation

extension Exchange.Body {
    /// Reads the complete body, for example in a stub transport.
    ///
    /// Blocks the calling thread until the source of a stream has returned all its bytes.
    ///
    /// - Throws: The failure of the source, or a failure if the source has more or fewer bytes than
    ///   ``length``.
    public func read() throws(Exchange.Failure) -> Data { try read(while: { true }) }

    /// Reads the complete body, without blocking a thread if the source does not block.
    ///
    /// - Throws: The failure of the source, a failure if the source has more or fewer bytes than
    ///   ``length``, or ``Exchange/Failure/cancelled`` if the Swift task is canceled.
    public func read() async throws(Exchange.Failure) -> Data {
        if case .stream(let stream) = self, stream.mayBlock { return try await readOnThread() }
        var reader = try WholeBody(self)
        while !reader.isWhole {
            if Task.isCancelled { throw .cancelled }
            let wakeUp = WakeUp()
            if try reader.readPiece(whenReady: wakeUp.call) {
                // A source that always has bytes would keep other Swift tasks from running.
                await Task.yield()
            } else {
                await wakeUp.wait()
            }
        }
        return reader.data
    }

    private func read(while isWanted: () -> Bool) throws(Exchange.Failure) -> Data {
        var reader = try WholeBody(self)
        let isReady = DispatchSemaphore(value: 0)
        while !reader.isWhole {
            guard isWanted() else { throw .cancelled }
            if try !reader.readPiece(whenReady: { isReady.signal() }) { isReady.wait() }
        }
        return reader.data
    }

    /// Reads the body on its own thread, which a blocking source can occupy after a cancellation.
    private func readOnThread() async throws(Exchange.Failure) -> Data {
        let (result, wakeUp) = (Locked<Result<Data, Exchange.Failure>?>(nil), WakeUp())
        let isLetGo = Locked(false)
        blockingBodies.async {
            let outcome = Result { () throws(Exchange.Failure) in
                try read(while: { !isLetGo.withLock { $0 } })
            }
            result.withLock { $0 = outcome }
            wakeUp.call()
        }
        await wakeUp.wait()
        guard let result = result.withLock({ $0 }) else {
            isLetGo.withLock { $0 = true }
            throw .cancelled
        }
        return try result.get()
    }
}

private let blockingBodies = DispatchQueue(label: "bluebonnet.bodies", attributes: .concurrent)

/// Collects the bytes of a body.
private struct WholeBody {
    private(set) var data = Data()
    /// The source, or nil at the end.
    private var source: OpenSource?

    var isWhole: Bool { source == nil }

    init(_ body: Exchange.Body) throws(Exchange.Failure) {
        switch body {
        case .data(let data): self.data = data
        case .stream(let stream): source = OpenSource(try stream.open(), length: stream.length)
        }
    }

    /// Reads the next piece, and returns false if there is none for now.
    ///
    /// In that case the source calls `wake` when it has more bytes.
    mutating func readPiece(whenReady wake: @escaping @Sendable () -> Void)
        throws(Exchange.Failure) -> Bool
    {
        switch try source?.next(upTo: 64 * 1024, whenReady: wake) {
        case .later: return false
        case .bytes(let piece): data += piece
        case .last(let piece):
            data += piece
            source = nil
        case nil: break
        }
        return true
    }
}

/// A wake-up call for one Swift task, which can arrive before the task waits.
private final class WakeUp: Sendable {
    private enum State {
        case expected
        case awaited(CheckedContinuation<Void, Never>)
        case called
    }

    private let state = Locked(State.expected)

    @Sendable func call() {
        let former = state.withLock { state in
            defer { state = .called }
            return state
        }
        if case .awaited(let continuation) = former { continuation.resume() }
    }

    /// Returns when ``call()`` has been called or the Swift task is canceled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCalled = state.withLock { state in
                    if case .called = state { return true }
                    state = .awaited(continuation)
                    return false
                }
                if isCalled { continuation.resume() }
            }
        } onCancel: {
            call()
        }
    }
}
