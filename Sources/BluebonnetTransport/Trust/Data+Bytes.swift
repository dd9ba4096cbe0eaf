import CBluebonnet
import Foundation

extension Data {
    /// Calls a function of C's with the bytes, which it may not keep.
    func withBytes<Result>(_ body: (bb_bytes) -> Result) -> Result {
        withUnsafeBytes { body(bb_bytes(start: $0.baseAddress, count: $0.count)) }
    }
}
