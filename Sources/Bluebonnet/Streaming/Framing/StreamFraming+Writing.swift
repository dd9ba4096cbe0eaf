import Foundation

extension StreamFraming {
    /// Returns a record as this framing writes it.
    ///
    /// - Throws: An error for a record that would be read as several ones.
    func written(_ record: Data) throws(RequestSerializationError) -> Data {
        switch kind {
        case .chunk: return record
        case .lines, .jsonLines:
            let lineFeed = UInt8(ascii: "\n")
            guard !record.contains(lineFeed), kind != .lines || !record.contains(UInt8(ascii: "\r"))
            else {
                throw RequestSerializationError(
                    reason: "a record contains a line ending; write it as one line")
            }
            return record + [lineFeed]
        case .events:
            let text = String(decoding: record, as: UTF8.self)
            let lines = text.split(omittingEmptySubsequences: false) {
                ["\n", "\r\n", "\r"].contains($0)
            }
            return Data(lines.map { "data: \($0)\n" }.joined().utf8) + Data("\n".utf8)
        case .jsonSequence: return [0x1E] + record + [UInt8(ascii: "\n")]
        case .lengthPrefixed(.bigEndian32):
            guard let count = UInt32(exactly: record.count) else {
                throw RequestSerializationError(reason: "a record has more than 4 GiB")
            }
            return withUnsafeBytes(of: count.bigEndian) { Data($0) } + record
        case .lengthPrefixed(.varint):
            var prefix: [UInt8] = []
            var rest = record.count
            while rest > 0x7F {
                prefix.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            return prefix + [UInt8(rest)] + record
        }
    }
}
