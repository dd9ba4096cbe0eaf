import BluebonnetTransport
import Foundation
import Testing

extension Data {
    /// Returns the bytes without a content coding.
    func decoded(_ coding: String) throws -> Data {
        let decoder = try #require(try ContentDecoder.make(contentEncoding: coding))
        var memory = [UInt8](repeating: 0, count: 4096)
        var decoded = Data()
        try withUnsafeBytes { bytes in
            var input = bytes
            var count = memory.count
            while count == memory.count {
                count = try memory.withUnsafeMutableBytes { try decoder.decode(&input, into: $0) }
                decoded += memory.prefix(count)
            }
        }
        try decoder.finish()
        return decoded
    }
}
