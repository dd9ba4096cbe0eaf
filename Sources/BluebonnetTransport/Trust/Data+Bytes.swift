import CBluebonnet
import Foundation

extension Data {
    /// Calls a C function with the bytes, which it must not retain, and returns its result.
    func withBytes<Result>(_ body: (bb_bytes) -> Result) -> Result {
        withUnsafeBytes { body(bb_bytes(start: $0.baseAddress, count: $0.count)) }
    }
}
