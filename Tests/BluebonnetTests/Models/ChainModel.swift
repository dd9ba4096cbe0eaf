import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking

import Bluebonnet
@testable import BluebonnetChain

/// A model of one request with any handlers, retries and cancels.
///
/// Handlers are added at any time and from several threads. The model checks what each handler
/// received, and in which order.
final class ChainModel: Sendable {
    /// The random choices made before the request is created.
    private struct Plan {
        enum Cancel: CaseIterable { case never, before, beside, inHandler, inRetrier }

        /// The handlers that each thread adds, in order.
        var early: [Place]
        var beside: [[Place]]
        var nested: [Place]
        var afterwards: [Place]
        var cancel: Cancel
        /// The status codes of the attempts' responses.
        ///
        /// The last one is the result.
        var statuses: [Int]
        var startsByItself: Bool
        var suspendsBeside: Bool
        /// Whether the stub responds within `begin()`.
        var isImmediate: Bool

        init(_ random: inout SeededGenerator) {
            func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }
            func places(upTo count: UInt64) -> [Place] {
                (0..<random.next() % (count + 1)).map { _ in
                    Place.allCases.randomElement(using: &random) ?? .pool
                }
            }
            early = places(upTo: 3)
            beside = (0..<random.next() % 3).map { _ in places(upTo: 2) }
            nested = early.isEmpty ? [] : places(upTo: 2)
            afterwards = chance(2) ? places(upTo: 2) : []
            cancel = chance(3) ? (Cancel.allCases.randomElement(using: &random) ?? .never) : .never
            let retries = chance(2) ? 0 : random.next() % 3
            statuses = (0..<retries).map { _ in 503 } + [chance(4) ? 404 : 200]
            startsByItself = chance(2)
            suspendsBeside = chance(4)
            isImmediate = chance(2)
        }

        var count: Int { early.count + beside.reduce(0) { $0 + $1.count } + nested.count }
    }

    /// Where a handler runs, or that its response is awaited.
    private enum Place: CaseIterable { case pool, first, second, awaited }

    private struct Call {
        /// The code that added it: 0 before the start, one number per thread, 8 in a handler, 9 at
        /// the end.
        var adder: Int
        var number: Int
        var place: Place
        var word: String
    }

    let manager: HTTPSessionManager
    private let transport = ModelTransport()
    private let queues = [DispatchQueue(label: "chain.1"), DispatchQueue(label: "chain.2")]

    init() {
        manager = HTTPSessionManager(transport: transport)
    }

    /// Responds with the status codes of the walk.
    private final class ModelTransport: Transport {
        let statuses = Locked<[Int]>([])
        let isImmediate = Locked(true)
        let count = Locked(0)

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            AnsweringTransfer(exchange, reportingTo: sink) { [self] transfer in
                count.withLock { $0 += 1 }
                let status = statuses.withLock { $0.isEmpty ? 599 : $0.removeFirst() }
                let answer: @Sendable () -> Void = {
                    transfer.reply(status, body: Data("b".utf8))
                }
                if isImmediate.withLock({ $0 }) {
                    answer()
                } else {
                    DispatchQueue.global().async(execute: answer)
                }
            }
        }
    }

    /// Runs a walk and returns what was wrong with it, or nil.
    func walk(seed: UInt64) async -> String? {
        var random = SeededGenerator(seed: seed)
        let plan = Plan(&random)
        transport.statuses.withLock { $0 = plan.statuses }
        transport.isImmediate.withLock { $0 = plan.isImmediate }
        transport.count.withLock { $0 = 0 }
        let calls = Recorder<Call>()
        let request = manager.request(
            "http://stub.test/",
            interceptor: Retrier { request, _, _, completion in
                if plan.cancel == .inRetrier { request.cancel() }
                let isLast = request.retryCount + 1 >= plan.statuses.count
                completion(isLast ? .doNotRetry : .retry)
            }, shouldAutomaticallyResume: plan.startsByItself
        ).validate()
        if plan.cancel == .before { request.cancel() }
        let isFirst = Locked(true)
        add(plan.early, by: 0, to: request, calls) { [self] in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return }
            if plan.cancel == .inHandler { request.cancel() }
            add(plan.nested, by: 8, to: request, calls)
        }
        await withTaskGroup(of: Void.self) { threads in
            for (index, places) in plan.beside.enumerated() {
                threads.addTask { [self] in add(places, by: 1 + index, to: request, calls) }
            }
            if plan.cancel == .beside { threads.addTask { request.cancel() } }
            if plan.suspendsBeside { threads.addTask { request.suspend().resume() } }
            threads.addTask { request.resume() }
        }
        // Again, because the suspend can come last.
        request.resume()
        await calls.wait(for: plan.count)
        // Without handlers, the task has not been awaited yet.
        _ = await request.task?.response(serializer: HTTPResponseSerializer())
        let exchanges = transport.count.withLock { $0 }
        add(plan.afterwards, by: 9, to: request, calls)
        let all = await calls.wait(for: plan.count + plan.afterwards.count)
        return fault(of: all, plan, request, exchanges)
    }

    private func add(
        _ places: [Place], by adder: Int, to request: DataRequest, _ calls: Recorder<Call>,
        then next: @escaping @Sendable () -> Void = {}
    ) {
        for (number, place) in places.enumerated() {
            let handle: @Sendable (AFError?, Int?) -> Void = { error, status in
                next()
                let word = error.map { "\($0.stage) \($0.responseCode ?? 0)" } ?? "\(status ?? 0)"
                calls.add(Call(adder: adder, number: number, place: place, word: word))
            }
            switch place {
            case .pool: request.responseData { handle($0.error, $0.head?.statusCode) }
            case .first:
                request.responseString(queue: queues[0]) { handle($0.error, $0.head?.statusCode) }
            case .second:
                request.response(queue: queues[1]) { handle($0.error, $0.head?.statusCode) }
            case .awaited:
                let task = request.serializingData()
                Task {
                    let response = await task.response
                    handle(response.error, response.head?.statusCode)
                }
            }
        }
    }

    private func fault(
        of calls: [Call], _ plan: Plan, _ request: DataRequest, _ exchanges: Int
    ) -> String? {
        let expected = plan.count + plan.afterwards.count
        guard calls.count == expected else { return "\(calls.count) calls of \(expected)" }
        let keys = Set(calls.map { $0.adder * 100 + $0.number })
        guard keys.count == expected else { return "a handler was called twice" }
        if let other = calls.first(where: { $0.word != calls[0].word }) {
            return "one handler got \(calls[0].word), and another \(other.word)"
        }
        for place in [Place.pool, .first, .second] {
            for adder in 0..<10 {
                let numbers = calls.filter { $0.place == place && $0.adder == adder }.map(\.number)
                if numbers != numbers.sorted() {
                    return "handlers of one adder on \(place) came in the order \(numbers)"
                }
            }
        }
        let last = plan.statuses.last ?? 0
        let outcome = last == 200 ? "200" : "validation \(last)"
        switch plan.cancel {
        case .never, .inHandler:
            if let word = calls.first?.word, word != outcome { return "\(word), not \(outcome)" }
            if exchanges != plan.statuses.count, !calls.isEmpty {
                return "\(exchanges) exchanges of \(plan.statuses.count)"
            }
        case .before:
            if let word = calls.first?.word, word != "cancellation 0" { return word }
            if exchanges != 0 { return "something was sent" }
        case .beside, .inRetrier:
            if let word = calls.first?.word, word != outcome, word != "cancellation 0" {
                return word
            }
        }
        let isOver = request.state == .finished || request.state == .cancelled
        return isOver ? nil : "it is \(request.state) at the end"
    }
}
