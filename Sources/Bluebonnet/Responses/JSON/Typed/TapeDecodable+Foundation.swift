import Foundation

extension URL: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        if document.isNull(at: index) { throw document.mismatch(self, at: index) }
        let text = try document.string(at: index)
        guard let url = URL(string: text) else {
            throw document.corrupted("Invalid URL string.", at: index)
        }
        return url
    }
}

extension Decimal: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        switch document.tape.kind(at: index) {
        case .signedInteger: return Decimal(Int64(bitPattern: document.tape.number(at: index)))
        case .unsignedInteger: return Decimal(document.tape.number(at: index))
        case .double: return try document.decimal(at: index)
        default: throw document.mismatch(self, at: index)
        }
    }
}

extension Date: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        if document.isNull(at: index) { throw document.mismatch(self, at: index) }
        switch document.options.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try document.double(at: index))
        case .secondsSince1970:
            return Date(timeIntervalSince1970: try document.double(at: index))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try document.double(at: index) / 1000)
        case .iso8601:
            let text = try document.string(at: index)
            guard let date = try? Date(text, strategy: .iso8601) else {
                throw document.corrupted(
                    "Expected date string to be ISO8601-formatted.", at: index)
            }
            return date
        case .custom(let decode):
            return try decode(JSONTapeDecoder(document, at: index, depth: depth))
        @unknown default:
            return try Date(from: JSONTapeDecoder(document, at: index, depth: depth))
        }
    }
}

extension Data: TapeDecodable {
    static func decoded(
        from document: JSONTapeDocument, at index: Int, depth: Int
    ) throws -> Self {
        if document.isNull(at: index) { throw document.mismatch(self, at: index) }
        switch document.options.data {
        case .base64:
            let text = try document.string(at: index)
            guard let data = Data(base64Encoded: text) else {
                throw document.corrupted("Encountered Data is not valid Base64.", at: index)
            }
            return data
        case .custom(let decode):
            return try decode(JSONTapeDecoder(document, at: index, depth: depth))
        case .deferredToData:
            return try Data(from: JSONTapeDecoder(document, at: index, depth: depth))
        @unknown default:
            return try Data(from: JSONTapeDecoder(document, at: index, depth: depth))
        }
    }
}

extension JSONTapeDocument {
    fileprivate func decimal(at index: Int) throws -> Decimal {
        // A `Decimal` holds every number of this length. An exponent could be out of range.
        if let text = numberText(at: index), text.count <= 30,
            !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
            let decimal = Decimal(string: String(decoding: text, as: UTF8.self))
        {
            return decimal
        }
        return try number(Decimal.self, at: index)
    }
}
