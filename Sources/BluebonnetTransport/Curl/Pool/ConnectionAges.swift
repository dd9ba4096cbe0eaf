import CBluebonnet
import Foundation

/// How old a pool's connections become, in the whole seconds that libcurl counts.
struct ConnectionAges {
    /// Seconds without an exchange; nil for any time.
    let idle: Int?
    /// Seconds from a connection's beginning on; nil for any time.
    let lifetime: Int?

    init(of pool: Exchange.Pool) {
        idle = Self.wholeSeconds(pool.idleConnectionTimeout)
        lifetime = Self.wholeSeconds(pool.maximumConnectionLifetime)
    }

    private static func wholeSeconds(_ seconds: TimeInterval?) -> Int? {
        // NaN, too, is the least there is: 0 would mean no limit to libcurl.
        guard let seconds, !(seconds >= TimeInterval(largest)) else { return nil }
        return seconds > 1 ? Int(seconds.rounded(.up)) : 1
    }

    /// What libcurl takes for a number.
    private static let largest = Int(Int32.max)

    /// How long libcurl keeps an idle connection at most before it would close it: it passes over the
    /// fractions of a second.
    var idleTime: TimeInterval? { idle.map { TimeInterval($0) + 1 } }

    /// What libcurl is told of them.
    var options: [(CURLoption, Int)] {
        [
            (CURLOPT_MAXAGE_CONN, idle ?? Self.largest),
            (CURLOPT_MAXLIFETIME_CONN, lifetime ?? 0),
        ]
    }
}
