import Bluebonnet
import Foundation

/// A time as a session's clock gives it.
struct CacheTime: Sendable {
    let date: Date
    /// The time of a clock that never jumps.
    let instant: Duration

    init(_ clock: any SessionClock) { (date, instant) = (clock.date, clock.now) }
}

extension StoredResponse {
    /// Returns the age of the response, in seconds, at most 2^31 (RFC 9111 sections 1.2.2 and 4.2.3).
    ///
    /// A date that is set back changes nothing while the process that stored the response lives. The
    /// clock that never jumps stands still while the machine sleeps, so the larger time counts.
    func age(at now: CacheTime) -> TimeInterval {
        let arrival = responseDate.timeIntervalSince1970
        let apparent = max(0, arrival - TimeInterval(rules.date))
        let delay = max(0, responseDate.timeIntervalSince(requestDate))
        let initial = max(apparent, TimeInterval(rules.age) + delay)
        let resident = max(
            now.date.timeIntervalSince(responseDate),
            responseInstant.map { (now.instant - $0).seconds } ?? 0)
        return min(initial + max(0, resident), TimeInterval(CacheControl.Seconds.largest))
    }

    /// Returns how many seconds the response stays fresh; not positive if it is stale.
    func remainingLifetime(at now: CacheTime, in policy: CachePolicy) -> TimeInterval {
        TimeInterval(rules.lifetime(in: policy)) - age(at: now)
    }
}

extension Duration {
    /// The duration in seconds; a division by one second takes ten times as long.
    fileprivate var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}
