import BluebonnetTransport
import Foundation

/// Runs of a model through events in a random order, each with a seed of its own.
package struct RandomWalks {
    /// `BLUEBONNET_SEED` if the environment has one, so that a run that failed can be repeated
    /// alone, else another seed each time.
    package static let firstSeed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))

    /// How many walks to take: as many as `BLUEBONNET_WALKS` says, or the usual number.
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["BLUEBONNET_WALKS"].flatMap { Int($0) } ?? usual
    }

    /// What went wrong in a run, and what had happened.
    package struct Failure: Error, CustomStringConvertible {
        package var reason: String
        package var events: [String]
        /// The run's seed, once it is known.
        package var seed: UInt64?

        package init(reason: String, events: [String] = []) {
            self.reason = reason
            self.events = events
        }

        package var description: String {
            let repeating = seed.map { "; to repeat it: BLUEBONNET_SEED=\($0)" } ?? ""
            return "\(reason)\(repeating)\n  \(events.joined(separator: "\n  "))"
        }
    }

    /// Runs until so many steps were taken, and throws what was wrong with the first run that fails.
    ///
    /// A run returns its number of steps. One that fails is run again, with a log of its events.
    package static func take(
        steps: Int, _ run: (_ seed: UInt64, _ logs: Bool) throws(Failure) -> Int
    ) throws(Failure) {
        var (taken, seed) = (0, firstSeed)
        while taken < steps {
            do throws(Failure) {
                taken += try run(seed, false)
            } catch {
                throw logged(error, of: seed, run)
            }
            seed &+= 1
        }
    }

    /// Takes the walks of a model that waits, on two tasks with a model each, and returns what was
    /// wrong with the first that fails.
    package static func firstFault<Model>(
        among usual: Int, making model: @escaping @Sendable () -> Model,
        _ walk: @escaping @Sendable (_ model: Model, _ seed: UInt64) async -> String?
    ) async -> String? {
        let next = Locked(firstSeed)
        let end = firstSeed &+ UInt64(count(usual))
        let fault = Locked<String?>(nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let model = model()
                    while fault.withLock({ $0 == nil }) {
                        let seed = next.withLock { next in
                            defer { next &+= 1 }
                            return next
                        }
                        guard seed < end else { return }
                        guard let text = await walk(model, seed) else { continue }
                        fault.withLock {
                            $0 = $0 ?? "\(text); to repeat it: BLUEBONNET_SEED=\(seed)"
                        }
                    }
                }
            }
        }
        return fault.withLock { $0 }
    }

    private static func logged(
        _ failure: Failure, of seed: UInt64, _ run: (UInt64, Bool) throws(Failure) -> Int
    ) -> Failure {
        var failure = failure
        do throws(Failure) { _ = try run(seed, true) } catch { failure = error }
        failure.seed = seed
        return failure
    }
}
