public import Bluebonnet

/// A transport that injects faults into the exchanges of another one.
///
/// ```swift
/// let faulty = FaultyTransport(around: stub, seed: 1)
/// faulty.inject(.resetBeforeHead, into: "/orders", numbers: [1])
/// faulty.inject(.status(503, retryAfter: 2), chance: 0.1)
/// let api = HTTPSessionManager(transport: faulty)
/// …
/// print(faulty.injections)
/// ```
///
/// The first rule that fits an exchange decides. Any thread may use it, at any time.
public final class FaultyTransport: Transport {
    /// A fault that was injected.
    public struct Injection: Sendable, CustomStringConvertible {
        /// What was injected.
        public let fault: Fault
        /// The method of the request.
        public let method: HTTPMethod
        /// The URL of the request.
        public let url: URL
        /// Which of the requests that fit the rule it was, from 1.
        public let number: Int
        /// When, on the session's clock.
        public let time: Duration

        /// Fault and request, without what is secret.
        public var description: String { "\(fault): \(method.rawValue) \(url.withoutSecrets)" }
    }

    private struct Rule {
        let fault: Fault
        let method: HTTPMethod?
        let path: PathPattern
        let numbers: Set<Int>?
        let chance: Double
        var count = 0
    }

    private struct State {
        var rules: [Rule] = []
        var random: SplitMix
        var injections: [Injection] = []
    }

    private let below: any Transport
    private let state: Locked<State>

    /// Makes a transport without faults.
    ///
    /// - Parameters:
    ///   - transport: What performs the exchanges.
    ///   - seed: What the chances follow: with the same seed, the same exchanges in the same order get the same
    ///     faults. The default is 0.
    public init(around transport: any Transport, seed: UInt64 = 0) {
        below = transport
        state = Locked(State(random: SplitMix(state: seed)))
    }

    /// Injects a fault into exchanges that fit.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - path: A path as a ``StubTransport`` takes it, with scheme, host and port if they matter. The
    ///     default is any.
    ///   - method: The method; nil, the default, for any.
    ///   - numbers: Which of the exchanges that fit, from 1, whichever rule decides over them; nil, the default, for all.
    ///   - chance: The share of these that gets the fault, from 0 to 1. The default is 1.
    public func inject(
        _ fault: Fault, into path: String = "/**", method: HTTPMethod? = nil,
        numbers: Set<Int>? = nil, chance: Double = 1
    ) {
        let rule = Rule(
            fault: fault, method: method, path: PathPattern(path), numbers: numbers, chance: chance)
        state.withLock { $0.rules.append(rule) }
    }

    /// Removes all rules, so that the exchanges from now on have no faults.
    public func removeFaults() { state.withLock { $0.rules = [] } }

    /// What was injected so far, in order; a body that was too short to be cut is not among it.
    public var injections: [Injection] { state.withLock { $0.injections } }

    /// Makes the transfer of an exchange, with a fault or without one.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        guard let injection = injection(into: exchange) else {
            return below.transfer(for: exchange, reportingTo: sink)
        }
        switch injection.fault.kind {
        case .answer(let answer):
            note(injection)
            return StubTransfer(exchange, reportingTo: sink, readsBody: false) { exchange, _ in
                .response(answer(exchange))
            }
        case .cut(let count, let failure):
            return below.transfer(for: exchange, reportingTo: sink, state: count) { rest, report in
                if report.cut(after: &rest, failure) { self.note(injection) }
            }
        case .slow(let pace):
            note(injection)
            return PacedTransfer(exchange, reportingTo: sink, through: below, pace)
        }
    }

    private func note(_ injection: Injection) { state.withLock { $0.injections.append(injection) } }

    /// What the rules inject into an exchange; nil for nothing.
    private func injection(into exchange: Exchange) -> Injection? {
        guard let url = URL(string: exchange.url) else { return nil }
        let method = HTTPMethod(rawValue: exchange.method)
        let time = exchange.clock.now
        return state.withLock { state in
            var injection: Injection?
            // Each rule counts all that fit it, whichever decides.
            for index in state.rules.indices {
                let rule = state.rules[index]
                guard rule.method == nil || rule.method == method,
                    rule.path.match(exchange.url) != nil
                else { continue }
                let number = rule.count + 1
                state.rules[index].count = number
                guard injection == nil, rule.numbers?.contains(number) ?? true,
                    rule.chance >= 1 || state.random.share() < rule.chance
                else { continue }
                injection = Injection(
                    fault: rule.fault, method: method, url: url, number: number, time: time)
            }
            return injection
        }
    }
}

extension Exchange.Report {
    /// Ends the exchange with a failure before the head, or where more than so many bytes of the body have come; true
    /// when it did.
    fileprivate mutating func cut(after rest: inout Int?, _ failure: Exchange.Failure) -> Bool {
        guard let count = rest else {
            guard head != nil || end != nil else { return false }
            self = Exchange.Report(end: Self.end(failure, end))
            return true
        }
        var left = count
        var kept: [Exchange.Chunk] = []
        for chunk in body where left > 0 {
            kept.append(chunk.count <= left ? chunk : Exchange.Chunk(chunk.data.prefix(left)))
            left -= min(left, chunk.count)
        }
        rest = left
        // A body that is no longer is whole.
        guard body.reduce(0, { $0 + $1.count }) > count else { return false }
        (body, trailers, end) = (kept, nil, Self.end(failure, end))
        return true
    }

    private static func end(_ failure: Exchange.Failure, _ former: Exchange.End?) -> Exchange.End {
        Exchange.End(failure: failure, metrics: former?.metrics ?? .init(), wasSent: true)
    }
}

/// SplitMix64, a sequence of numbers that is the same for each seed.
private struct SplitMix {
    var state: UInt64

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number from 0 up to 1.
    mutating func share() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
