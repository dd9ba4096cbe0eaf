import BluebonnetTestSupport
import Foundation

/// How long the load tests take: `BLUEBONNET_LOAD=full` asks for the long ones.
enum LoadVariant {
    static let isFull = ProcessInfo.processInfo.environment["BLUEBONNET_LOAD"] == "full"

    /// What random choices are made from: `BLUEBONNET_SEED`, else another one each time.
    static var seed: UInt64 { SeededGenerator.givenSeed ?? .random(in: .min ... .max) }

    static func pick<Value>(short: Value, full: Value) -> Value { isFull ? full : short }
}
