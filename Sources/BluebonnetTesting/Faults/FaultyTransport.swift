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
/// The first rule that matches an exchange decides. The transport can be used from any thread at
/// any time.
public final class FaultyTransport: Transport {
    /// A fault that was injected.
    public struct Injection: Sendable, CustomStringConvertible {
        /// The fault.
        public let fault: Fault
        /// The method of the request.
        public let method: HTTPMethod
        /// The URL of the request.
        public let url: URL
        /// The position of the request among those that match the rule, from 1.
        public let number: Int
        /// The time on the session's clock.
        public let time: Duration

        /// The fault and the request, without secrets.
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

    /// Creates a transport without faults.
    ///
    /// - Parameters:
    ///   - transport: The transport that performs the exchanges.
    ///   - seed: The seed of the random decisions. With the same seed, the same exchanges in the
    ///     same order get the same faults. The default is 0.
    public init(around transport: any Transport, seed: UInt64 = 0) {
        below = transport
        state = Locked(State(random: SplitMix(state: seed)))
    }

    /// Injects a fault into exchanges that match.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - path: A path in the form of a ``StubTransport``, with scheme, host and port if they
    ///     matter. The default matches any path.
    ///   - method: The method. If nil, the default, any method matches.
    ///   - numbers: The positions, from 1, of the matching exchanges that can get the fault.
    ///     Exchanges for which another rule decides are counted too. If nil, the default, all can
    ///     get it.
    ///   - chance: The share of these exchanges that gets the fault, from 0 to 1. The default is 1.
    public func inject(
        _ fault: Fault, into path: String = "/**", method: HTTPMethod? = nil,
        numbers: Set<Int>? = nil, chance: Double = 1
    ) {
        let rule = Rule(
            fault: fault, method: method, path: PathPattern(path), numbers: numbers, chance: chance)
        state.withLock { $0.rules.append(rule) }
    }

    /// Removes all rules, so that later exchanges have no faults.
    public func removeFaults() { state.withLock { $0.rules = [] } }

    /// The faults injected so far, in order, without those whose body was too short to be cut.
    public var injections: [Injection] { state.withLock { $0.injections } }

    /// Creates the transfer of an exchange, with or without a fault.
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

    /// Returns the fault to inject into an exchange; nil for none.
    private func injection(into exchange: Exchange) -> Injection? {
        guard let url = URL(string: exchange.url) else { return nil }
        let method = HTTPMethod(rawValue: exchange.method)
        let time = exchange.clock.now
        return state.withLock { state in
            var injection: Injection?
            // Each rule counts all exchanges that match it, even if another rule decides.
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
    /// Ends the exchange with a failure before the head, or once the body exceeds a number of
    /// bytes.
    ///
    /// - Returns: Whether the exchange was ended.
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
        // A body that does not exceed the count is complete.
        guard body.reduce(0, { $0 + $1.count }) > count else { return false }
        (body, trailers, end) = (kept, nil, Self.end(failure, end))
        return true
    }

    private static func end(_ failure: Exchange.Failure, _ former: Exchange.End?) -> Exchange.End {
        Exchange.End(failure: failure, metrics: former?.metrics ?? .init(), wasSent: true)
    }
}

/// SplitMix64, a random number generator with the same sequence for each seed.
private struct SplitMix {
    var state: UInt64

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    mutating func share() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
