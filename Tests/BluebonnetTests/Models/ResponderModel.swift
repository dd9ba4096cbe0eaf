import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking

@testable import Bluebonnet

/// A model of one task with any responders and validators.
///
/// They are added at any time and from several threads. The model checks what each responder
/// received, and in which order.
final class ResponderModel: Sendable {
    /// The random choices made before the task is created.
    private struct Plan {
        enum Verdict: CaseIterable { case good, badHead, badBody }
        enum Cancel: CaseIterable { case never, before, beside, inHandler }

        var early: [Place]
        var verdicts: [Verdict]
        var cancel: Cancel
        /// Responders that another thread adds while the task runs.
        var beside: [Place]
        /// Responders that the first handler adds.
        var nested: [Place]
        var afterwards: [Place]
        var isLarge: Bool
        var usesQueue: Bool
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
            verdicts = (0..<random.next() % 4).map { _ in
                chance(4) ? (Verdict.allCases.randomElement(using: &random) ?? .good) : .good
            }
            cancel = chance(3) ? (Cancel.allCases.randomElement(using: &random) ?? .never) : .never
            beside = chance(2) ? places(upTo: 2) : []
            nested = chance(2) ? places(upTo: 2) : []
            afterwards = chance(2) ? places(upTo: 2) : []
            isLarge = chance(4)
            usesQueue = chance(4)
            isImmediate = chance(2)
        }

        var count: Int { early.count + beside.count + (early.isEmpty ? 0 : nested.count) }
    }

    /// Where a handler runs.
    enum Place: CaseIterable { case pool, first, second }

    /// The calls that were received, in order.
    private struct Heard {
        var calls: [(id: Int, place: Place, word: String)] = []
        var underWay = 0
        var isOverlapping = false
        var idsAtLeaving: [Int]?
        var adding: [Int] = []
    }

    private struct Refusal: Error {}

    let manager: SessionManager
    private let queues = [DispatchQueue(label: "model.1"), DispatchQueue(label: "model.2")]
    private static var largeBody: Data {
        Data("[".utf8) + Data(repeating: 0x20, count: 8192) + Data("]".utf8)
    }

    init() {
        manager = SessionManager(transport: ModelTransport())
    }

    /// Responds as the request's header field specifies.
    private struct ModelTransport: Transport {
        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            AnsweringTransfer(exchange, reportingTo: sink) { transfer in
                let isLarge = exchange.url.hasSuffix("large")
                let answer: @Sendable () -> Void = {
                    transfer.reply(200, body: isLarge ? ResponderModel.largeBody : Data("[]".utf8))
                }
                if exchange.attributes.tag == nil {
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
        let heard = Locked(Heard())
        let calls = Recorder<Void>()
        let group = DispatchGroup()
        manager.completionGroup = group
        let url = URL(string: "http://stub.test/\(plan.isLarge ? "large" : "small")")
        let task: DataTask = manager.makeTask(
            .made(.success(URLRequest(url: url ?? URL(filePath: "/")))), nil,
            isJudged: false)
        if !plan.isImmediate { task.attributes.tag = "later" }
        for (index, verdict) in plan.verdicts.enumerated() { add(verdict, index, to: task) }
        for (id, place) in plan.early.enumerated() {
            add(id, place, to: task, heard, calls, plan: plan)
        }
        if plan.usesQueue { task.delegate.queue.addOperation {} }
        if plan.cancel == .before { task.cancel() }
        group.enter()
        let left = Recorder<Void>()
        await withTaskGroup(of: Void.self) { threads in
            threads.addTask {
                task.resume()
                group.leave()
                group.notify(queue: .global()) {
                    heard.withLock { $0.idsAtLeaving = $0.calls.map(\.id) }
                    left.add(())
                }
            }
            if plan.cancel == .beside { threads.addTask { task.cancel() } }
            threads.addTask { [self] in
                for (id, place) in plan.beside.enumerated() {
                    add(10 + id, place, to: task, heard, calls)
                }
            }
        }
        await calls.wait(for: plan.count)
        await left.wait(for: 1)
        for (id, place) in plan.afterwards.enumerated() {
            add(30 + id, place, to: task, heard, calls)
        }
        await calls.wait(for: plan.count + plan.afterwards.count)
        return heard.withLock { fault(of: $0, plan, task) }
    }

    private func add(_ verdict: Plan.Verdict, _ index: Int, to task: DataTask) {
        switch verdict {
        case .badHead:
            task.addValidator(
                .head { _, _ in throw ResponseSerializationError(reason: "\(index)") })
        case .badBody:
            task.addValidator(
                .body { _, _, _ in throw ResponseSerializationError(reason: "\(index)") })
        case .good where index % 2 == 0: task.addValidator(.statusCodes([200]))
        case .good: task.addValidator(.body { _, _, _ in })
        }
    }

    private func add(
        _ id: Int, _ place: Place, to task: DataTask, _ heard: Locked<Heard>,
        _ calls: Recorder<Void>, plan: Plan? = nil
    ) {
        let queue: DispatchQueue? =
            switch place {
            case .pool: nil
            case .first: queues[0]
            case .second: queues[1]
            }
        task.addResponseHandler(serializer: .json, on: queue) { [self] response in
            if place == .pool {
                heard.withLock { heard in
                    heard.underWay += 1
                    heard.isOverlapping = heard.isOverlapping || heard.underWay > 1
                }
            }
            if id == 0, let plan {
                if plan.cancel == .inHandler { task.cancel() }
                for (number, place) in plan.nested.enumerated() {
                    add(20 + number, place, to: task, heard, calls)
                }
            }
            heard.withLock { heard in
                heard.calls.append((id, place, Self.word(response)))
                if place == .pool { heard.underWay -= 1 }
            }
            calls.add(())
        }
    }

    private static func word<Value>(_ response: Response<Value>) -> String {
        switch response.error {
        case nil: response.value == nil ? "nothing" : "value"
        case .cancelled?: "cancelled"
        case .validation(let text, _)?: "refused \(text)"
        case let error?: "\(error)"
        }
    }

    private func fault(of heard: Heard, _ plan: Plan, _ task: DataTask) -> String? {
        let ids = heard.calls.map(\.id)
        let wanted =
            plan.early.indices.map { $0 } + plan.beside.indices.map { 10 + $0 }
            + (plan.early.isEmpty ? [] : plan.nested.indices.map { 20 + $0 })
            + plan.afterwards.indices.map { 30 + $0 }
        guard ids.sorted() == wanted.sorted() else { return "called are \(ids), not \(wanted)" }
        if heard.isOverlapping { return "two handlers overlap in the pool" }
        for place in Place.allCases {
            let there = heard.calls.filter { $0.place == place }.map(\.id)
            for kind in 0...3 {
                let ofKind = there.filter { $0 / 10 == kind }
                if ofKind != ofKind.sorted() { return "out of order: \(there)" }
            }
            // Responders added before all others are called before all others.
            if let last = there.lastIndex(where: { $0 < 10 }),
                there[...last].contains(where: { $0 >= 10 })
            {
                return "overtaken: \(there)"
            }
        }
        guard let atLeaving = heard.idsAtLeaving else { return "the group was not left" }
        if !plan.early.indices.allSatisfy(atLeaving.contains) { return "left after \(atLeaving)" }
        let words = Set(heard.calls.map(\.word))
        if words.count > 1 { return "they hear different things: \(words)" }
        guard let word = words.first else { return nil }
        let refusal = Self.refusal(by: plan.verdicts)
        var possible: Set<String> = [refusal.map { "refused \($0)" } ?? "value"]
        switch plan.cancel {
        case .before: possible = ["cancelled"]
        case .beside: possible.insert("cancelled")
        case .never, .inHandler: break
        }
        return possible.contains(word) ? nil : "heard \(word), not \(possible)"
    }

    /// Returns the index of the validator whose error must be the task's.
    ///
    /// It is the first in order, although heads are judged before bodies.
    private static func refusal(by verdicts: [Plan.Verdict]) -> Int? {
        verdicts.firstIndex { $0 != .good }
    }
}
