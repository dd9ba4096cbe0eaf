import Foundation
package import Testing

/// Runs of a model through events in a random order, each of a seed of its own.
///
/// The first seed is `BLUEBONNET_SEED` where the environment has one, so that a run that failed can
/// be repeated alone; else it is another each time.
package struct RandomWalks {
    package static let givenSeed = ProcessInfo.processInfo.environment["BLUEBONNET_SEED"]
        .flatMap { UInt64($0) }
    package static let firstSeed = givenSeed ?? .random(in: 0...(.max / 2))

    /// What went wrong in a run, and what had happened.
    package struct Failure: Error {
        package var reason: String
        package var events: [String]

        package init(reason: String, events: [String] = []) {
            self.reason = reason
            self.events = events
        }
    }

    /// Runs until so many steps were taken, and reports the first run that fails.
    ///
    /// A run returns its number of steps. One that fails is run again, with a log of its events.
    package static func take(
        steps: Int,
        _ location: SourceLocation = #_sourceLocation,
        _ run: (_ seed: UInt64, _ logs: Bool) throws(Failure) -> Int
    ) {
        var (taken, seed) = (0, firstSeed)
        while taken < steps {
            do throws(Failure) {
                taken += try run(seed, false)
            } catch {
                return record(error, of: seed, location, run)
            }
            seed &+= 1
        }
    }

    private static func record(
        _ failure: Failure, of seed: UInt64, _ location: SourceLocation,
        _ run: (UInt64, Bool) throws(Failure) -> Int
    ) {
        var failure = failure
        do throws(Failure) { _ = try run(seed, true) } catch { failure = error }
        let events = failure.events.joined(separator: "\n  ")
        Issue.record(
            "\(failure.reason); to repeat it: BLUEBONNET_SEED=\(seed)\n  \(events)",
            sourceLocation: location)
    }
}
