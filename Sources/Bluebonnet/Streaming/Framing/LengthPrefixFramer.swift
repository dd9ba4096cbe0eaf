import Foundation

/// Divides bytes into messages that their lengths precede, however they are cut.
struct LengthPrefixFramer: Sendable {
    private let prefix: StreamFraming.LengthPrefix
    private let maximumLength: Int
    /// The start of an incomplete message, without its prefix.
    private var message: [UInt8] = []
    /// The length of the incomplete message; nil while its prefix is incomplete.
    private var length: Int?
    private var prefixValue: UInt64 = 0
    private var prefixCount = 0
    private var start = 0
    private var count = 0
    private var number = 0

    init(_ prefix: StreamFraming.LengthPrefix, maximumLength: Int) {
        (self.prefix, self.maximumLength) = (prefix, maximumLength)
    }

    private var place: RecordPlace { RecordPlace(number: number + 1, start: start) }

    /// The message whose end has not come; nil if there is none.
    var incomplete: RecordPlace? { length == nil && prefixCount == 0 ? nil : place }

    /// Adds the messages that a piece completes.
    ///
    /// - Throws: An error for a message that is too long, or a length that is none.
    mutating func add(
        _ piece: Data, to messages: inout [Framed<Data>]
    ) throws(ResponseSerializationError) {
        var failure: ResponseSerializationError?
        piece.withUnsafeBytes { bytes in
            var offset = 0
            while failure == nil {
                if let length {
                    let taken = min(length - message.count, bytes.count - offset)
                    message.append(contentsOf: bytes[offset..<offset + taken])
                    offset += taken
                    guard message.count == length else { break }
                    messages.append(Framed(Data(message), place))
                    message.removeAll(keepingCapacity: message.capacity <= 65_536)
                    number += 1
                    self.length = nil
                    start = count + offset
                } else {
                    guard offset < bytes.count else { break }
                    failure = addPrefix(bytes[offset])
                    offset += 1
                }
            }
            count += bytes.count
        }
        if let failure { throw failure }
    }

    /// Adds a byte of the prefix, and returns an error if it is none.
    private mutating func addPrefix(_ byte: UInt8) -> ResponseSerializationError? {
        let isLast: Bool
        switch prefix {
        case .varint:
            // The tenth byte has room for one bit.
            guard prefixCount < 9 || byte <= 1 else {
                return place.error("its length has more than 64 bits")
            }
            prefixValue |= UInt64(byte & 0x7F) << UInt64(7 * prefixCount)
            isLast = byte & 0x80 == 0
        case .bigEndian32:
            prefixValue = prefixValue << 8 | UInt64(byte)
            isLast = prefixCount == 3
        }
        prefixCount += 1
        guard isLast else { return nil }
        defer { (prefixValue, prefixCount) = (0, 0) }
        guard prefixValue <= UInt64(maximumLength) else { return .tooLong(place, maximumLength) }
        length = Int(prefixValue)
        return nil
    }

    /// Checks that no message is incomplete.
    func finish() throws(ResponseSerializationError) {
        if let incomplete { throw incomplete.error("the body ends within it") }
    }
}
