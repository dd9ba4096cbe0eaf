import CBluebonnet
import Foundation

/// The age limits of a pool's connections, in whole seconds, as libcurl counts.
struct ConnectionAges {
    /// Seconds without an exchange; nil for no limit.
    let idle: Int?
    /// Seconds since the connection was made; nil for no limit.
    let lifetime: Int?

    init(of pool: Exchange.Pool) {
        idle = Self.wholeSeconds(pool.idleConnectionTimeout)
        lifetime = Self.wholeSeconds(pool.maximumConnectionLifetime)
    }

    private static func wholeSeconds(_ seconds: TimeInterval?) -> Int? {
        // At least one, also for NaN: 0 means no limit to libcurl.
        guard let seconds, !(seconds >= TimeInterval(largest)) else { return nil }
        return seconds > 1 ? Int(seconds.rounded(.up)) : 1
    }

    /// The largest number that libcurl accepts.
    private static let largest = Int(Int32.max)

    /// Seconds after which libcurl closes an idle connection, if asked to; it ignores fractions of a second.
    var idleTime: TimeInterval? { idle.map { TimeInterval($0) + 1 } }

    /// libcurl's options for them.
    var options: [(CURLoption, Int)] {
        [
            (CURLOPT_MAXAGE_CONN, idle ?? Self.largest),
            (CURLOPT_MAXLIFETIME_CONN, lifetime ?? 0),
        ]
    }
}
