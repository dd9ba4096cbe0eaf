import BluebonnetTransport
import Foundation

/// Runs of a model through events in random order, each with its own seed.
package struct RandomWalks {
    /// The seed in `BLUEBONNET_SEED`, which repeats a single failed run, or else a random seed.
    package static let firstSeed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))

    /// Returns the number of walks from `BLUEBONNET_WALKS`, or the usual number.
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["BLUEBONNET_WALKS"].flatMap { Int($0) } ?? usual
    }

    /// The reason that a run failed, and its events.
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

    /// Runs the model until it has taken `steps` steps, and throws the failure of the first failed
    /// run.
    ///
    /// A run returns its number of steps. A failed run is repeated with a log of its events.
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

    /// Runs the walks of an asynchronous model, and returns the fault of the first that fails.
    ///
    /// Two tasks run the walks, each with its own model.
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
