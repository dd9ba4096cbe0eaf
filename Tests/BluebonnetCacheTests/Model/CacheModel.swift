import Bluebonnet
import BluebonnetCache
import BluebonnetTestSupport
import Foundation
import FoundationNetworking

/// Callers of several users, who ask, leave, pause and come back at random, while responses arrive.
struct CacheModel {
    private struct Call {
        let user: String
        let language: String
        let url: String
        let method: String
        let isWindowed: Bool
        let caller: Caller
        let transfer: any Transfer
    }

    private let isShared: Bool
    private let origin: ModelOrigin
    private let cache: CachingTransport
    private let clock = JumpingClock()
    private let pool = Exchange.Pool()
    private let calls = Locked<[Call]>([])
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        isShared = seed % 3 != 0
        origin = ModelOrigin(seed: seed &+ 1)
        let policy =
            isShared
            ? CachePolicy.shared
            : .private { exchange in exchange.fields.first { $0.name == "Authorization" }?.value }
        cache = CachingTransport(
            around: origin, store: UnreliableStore(seed: seed &+ 2), policy: policy)
    }

    /// Runs the model, and returns what went wrong.
    func run() async -> String? {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { act(SeededGenerator(seed: seed &* 31 &+ UInt64(number))) }
            }
        }
        return await finish()
    }

    private func act(_ generator: SeededGenerator) {
        var generator = generator
        for _ in 0..<60 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<7: send(&generator)
            case 7..<15: origin.step()
            case 15: clock.advance(by: Int.random(in: 0...4, using: &generator))
            case 16: clock.jump(by: Int.random(in: -100...100, using: &generator))
            default:
                guard let call = calls.withLock({ $0.randomElement(using: &generator) }) else {
                    break
                }
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: call.transfer.cancel()
                case 1: call.transfer.suspend()
                case 2: call.transfer.resume()
                case 3: call.transfer.abort()
                case 4: call.transfer.setPriority(0.1)
                default: if call.isWindowed { call.transfer.didConsume(500) }
                }
            }
        }
    }

    private func send(_ generator: inout SeededGenerator) {
        func pick(_ values: [String]) -> String { values.randomElement(using: &generator) ?? "" }
        let user = pick(["-", "A", "B"])
        let language = pick(["-", "de", "en"])
        let url = "http://h/\(pick(["1", "2"]))"
        let method = pick(["GET", "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "PUT"])
        var fields: [Exchange.Field] = []
        func add(_ name: String, _ value: String) {
            if value != "-" { fields.append(Exchange.Field(name: name, value: value)) }
        }
        add("Authorization", user)
        add("X-Lang", language)
        add(
            "Cache-Control",
            pick(["-", "-", "-", "-", "no-cache", "max-stale=50", "no-store", "max-age=1"]))
        var exchange = Exchange(method: method, url: url, fields: fields, pool: pool)
        exchange.clock = clock
        exchange.cachePolicy =
            [
                .useProtocolCachePolicy, .useProtocolCachePolicy, .useProtocolCachePolicy,
                .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
                .reloadRevalidatingCacheData,
            ].randomElement(using: &generator) ?? .useProtocolCachePolicy
        let isWindowed = Int.random(in: 0..<3, using: &generator) == 0
        exchange.receiveWindow = isWindowed ? 1_000 : nil
        let caller = Caller()
        let transfer = cache.transfer(for: exchange, reportingTo: caller)
        calls.withLock { calls in
            calls.append(
                Call(
                    user: user, language: language, url: url, method: method,
                    isWindowed: isWindowed, caller: caller, transfer: transfer))
        }
        transfer.begin()
    }

    /// Lets everything come to its end, and checks what the callers have received.
    private func finish() async -> String? {
        let calls = calls.withLock { $0 }
        for call in calls { call.transfer.resume() }
        for _ in 0..<2_000 {
            while origin.step() {}
            for call in calls where call.isWindowed { call.transfer.didConsume(1_000) }
            if calls.allSatisfy({ $0.caller.received.endCount > 0 }) { break }
            await Task.yield()
            // The store's late answers come from other threads.
            if origin.openCount == 0 { try? await Task.sleep(for: .milliseconds(1)) }
        }
        for (number, call) in calls.enumerated() {
            if let fault = fault(of: call) { return "call \(number) of \(calls.count): \(fault)" }
        }
        return nil
    }

    private func fault(of call: Call) -> String? {
        let received = call.caller.received
        guard received.endCount == 1 else { return "\(received.endCount) ends" }
        guard received.headCount <= 1 else { return "\(received.headCount) heads" }
        guard let head = received.head, received.failure == nil else { return nil }
        if head.statusCode == 304 || head.statusCode == 504 { return "status \(head.statusCode)" }
        if call.method == "HEAD" { return received.body.isEmpty ? nil : "HEAD has a body" }
        // "http://h/1", user, language, number and filler.
        let parts = received.text.split(separator: "|")
        guard parts.count == 5, let serial = Int(parts[3]), origin.body(serial) == received.text
        else { return "a wrong body: \(received.text.prefix(80))" }
        guard parts[0] == call.url, parts[2] == call.language else {
            return "another resource: \(received.text.prefix(80))"
        }
        if parts[1] == call.user { return nil }
        let control = head["Cache-Control"] ?? ""
        let isPermitted =
            isShared
            && (parts[1] == "-"
                || ["public", "s-maxage", "must-revalidate"].contains { control.contains($0) })
        return isPermitted ? nil : "\(call.user) got the response of \(parts[1]): \(control)"
    }
}
