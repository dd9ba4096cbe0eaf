import Foundation

/// Divides a JSON text sequence into its elements, however its bytes are cut (RFC 7464).
struct JSONSequenceFramer: Sendable {
    private let maximumLength: Int
    private var rest: [UInt8] = []
    /// The position of the incomplete element, after its separator.
    private var start = 0
    private var count = 0
    private var number = 0

    init(maximumLength: Int) { self.maximumLength = maximumLength }

    /// The element that no separator has ended; nil if there is none.
    var incomplete: RecordPlace? {
        rest.isEmpty ? nil : RecordPlace(number: number + 1, start: start)
    }

    /// Adds the elements that a piece completes, or their errors.
    ///
    /// - Throws: An error for an element that is too long.
    mutating func add(
        _ piece: Data, to elements: inout [Result<Framed<Data>, ResponseSerializationError>]
    ) throws(ResponseSerializationError) {
        var fits = true
        piece.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let end = bytes[place...].firstIndex(of: 0x1E)
                rest.append(contentsOf: bytes[place..<(end ?? bytes.count)])
                // Without the LF that ends it.
                fits = rest.count <= maximumLength + 1
                guard fits, let end else { break }
                endElement(&elements)
                place = end + 1
                start = count + place
            }
            count += bytes.count
        }
        guard fits else {
            throw .tooLong(RecordPlace(number: number + 1, start: start), maximumLength)
        }
    }

    /// Adds the element that ends with the body.
    mutating func finish(
        to elements: inout [Result<Framed<Data>, ResponseSerializationError>]
    ) {
        endElement(&elements)
    }

    private mutating func endElement(
        _ elements: inout [Result<Framed<Data>, ResponseSerializationError>]
    ) {
        defer { rest.removeAll(keepingCapacity: rest.capacity <= 65_536) }
        guard let first = rest.first(where: { !Self.isWhitespace($0) }), let last = rest.last
        else { return }
        number += 1
        let place = RecordPlace(number: number, start: start)
        // Numbers, true, false and null have no end of their own (section 2.4).
        let delimitsItself = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")]
            .contains(first)
        guard delimitsItself || Self.isWhitespace(last) else {
            elements.append(
                .failure(place.error("it may be cut, since no line feed ends it")))
            return
        }
        elements.append(.success(Framed(Data(rest), place)))
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D
    }
}
