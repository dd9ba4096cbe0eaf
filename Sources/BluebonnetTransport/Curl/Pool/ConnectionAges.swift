import CBluebonnet
import Foundation

/// The age limits of a pool's connections, in whole seconds as libcurl counts them.
struct ConnectionAges {
    /// The maximum number of seconds without an exchange, or nil for no limit.
    let idle: Int?
    /// The maximum number of seconds since the connection was opened, or nil for no limit.
    let lifetime: Int?

    init(of pool: Exchange.Pool) {
        idle = Self.wholeSeconds(pool.idleConnectionTimeout)
        lifetime = Self.wholeSeconds(pool.maximumConnectionLifetime)
    }

    private static func wholeSeconds(_ seconds: TimeInterval?) -> Int? {
        // At least 1, even for NaN, because 0 means no limit to libcurl.
        guard let seconds, !(seconds >= TimeInterval(largest)) else { return nil }
        return seconds > 1 ? Int(seconds.rounded(.up)) : 1
    }

    /// The largest number that libcurl accepts.
    private static let largest = Int(Int32.max)

    /// The seconds after which libcurl closes an idle connection when it is asked to.
    ///
    /// It is one more than the limit, because libcurl ignores fractions of a second.
    var idleTime: TimeInterval? { idle.map { TimeInterval($0) + 1 } }

    /// The libcurl options for the limits.
    var options: [(CURLoption, Int)] {
        [
            (CURLOPT_MAXAGE_CONN, idle ?? Self.largest),
            (CURLOPT_MAXLIFETIME_CONN, lifetime ?? 0),
        ]
    }
}
