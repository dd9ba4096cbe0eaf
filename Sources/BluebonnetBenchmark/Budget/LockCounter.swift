import Foundation
import Glibc

/// The mutexes that calls lock, as counted by the library of Sources/BluebonnetBenchmarkLocks.
///
/// The library is put before the system's with `LD_PRELOAD`, so that nothing is counted in other
/// runs.
struct LockCounter {
    static let libraryName = "libbluebonnet-benchmark-locks.so"

    private let endCall: @convention(c) () -> Void
    private let finish:
        @convention(c) (UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt64>) -> Void

    init() throws {
        let program = dlopen(nil, RTLD_NOW)
        guard let endCall = dlsym(program, "bluebonnet_locks_end_call"),
            let finish = dlsym(program, "bluebonnet_locks_finish")
        else { throw BenchmarkFailure("the program runs without \(Self.libraryName)") }
        // The types are those of the definitions in locks.c.
        self.endCall = unsafeBitCast(endCall, to: (@convention(c) () -> Void).self)
        self.finish = unsafeBitCast(
            finish,
            to: (@convention(c) (UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<UInt64>) -> Void)
                .self)
    }

    /// Performs calls one after another and returns the mean of their locks.
    func count(_ count: Int, _ call: () async throws -> Void) async throws -> LockCost {
        for _ in 0..<100 { try await call() }
        for _ in 0..<count {
            endCall()
            try await call()
        }
        var (all, own): (UInt64, UInt64) = (0, 0)
        finish(&all, &own)
        return LockCost(all: Double(all) / Double(count), ofTask: Double(own) / Double(count))
    }
}

/// The mean number of mutexes that a call locks.
struct LockCost: Codable {
    /// All of the process, with those of Foundation, Dispatch and Swift's runtime.
    let all: Double
    /// The lock of the call's task, which is the one that the call locks most often.
    let ofTask: Double
}
