import BluebonnetTestSupport
import Foundation

/// The duration of the load tests: `BLUEBONNET_LOAD=full` selects the long ones.
enum LoadVariant {
    static let isFull = ProcessInfo.processInfo.environment["BLUEBONNET_LOAD"] == "full"

    /// The seed of random choices: `BLUEBONNET_SEED`, or a new one each time.
    static var seed: UInt64 { SeededGenerator.givenSeed ?? .random(in: .min ... .max) }

    static func pick<Value>(short: Value, full: Value) -> Value { isFull ? full : short }
}
