import Foundation

/// The SplitMix64 generator, which returns the same numbers for the same seed, to repeat failed
/// runs.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// The seed in `BLUEBONNET_SEED`, which repeats a failed run.
    package static let givenSeed = ProcessInfo.processInfo.environment["BLUEBONNET_SEED"]
        .flatMap { UInt64($0) }

    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
