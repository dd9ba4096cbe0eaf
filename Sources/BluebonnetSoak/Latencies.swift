import Bluebonnet

/// The durations of tasks as counts, so that an hour needs no more memory than a minute.
final class Latencies: Sendable {
    /// One hundred counts for each doubling, starting at one microsecond.
    private let counts = Locked([Int](repeating: 0, count: 3_200))

    func add(_ seconds: Double) {
        var (exponent, scale) = (0, seconds * 1_000_000)
        while scale >= 2, exponent < 31 { (exponent, scale) = (exponent + 1, scale / 2) }
        let index = exponent * 100 + min(99, max(0, Int((scale - 1) * 100)))
        counts.withLock { $0[index] += 1 }
    }

    var count: Int { counts.withLock { $0.reduce(0, +) } }

    /// Returns the duration that the given part of all tasks did not exceed.
    ///
    /// The result is in milliseconds and accurate to 1%.
    func milliseconds(at part: Double) -> Double {
        let counts = counts.withLock { $0 }
        var left = Int((Double(counts.reduce(0, +)) * part).rounded(.up))
        for (index, count) in counts.enumerated() {
            left -= count
            guard left <= 0 else { continue }
            var micros = 1 + Double(index % 100) / 100
            for _ in 0..<index / 100 { micros *= 2 }
            return micros / 1_000
        }
        return 0
    }
}
