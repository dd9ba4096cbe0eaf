import BluebonnetTransport
import Foundation
import FoundationNetworking

extension URLRequest {
    /// Adds the fields whose names the request does not have, in whatever case.
    ///
    /// A name that repeats among the fields is added as often; `URLRequest` joins them by commas.
    mutating func addMissing(_ headers: HTTPHeaders) throws(RequestSerializationError) {
        for field in headers { try Self.check(field) }
        let missing = headers.filter { value(forHTTPHeaderField: $0.name) == nil }
        for field in missing { addValue(field.value, forHTTPHeaderField: field.name) }
    }

    /// Sets a body and, where the request has no Content-Type, that of the body.
    mutating func setBody(_ body: Data, contentType: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil {
            setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        httpBody = body
    }

    /// Appends to the query of the URL, before its fragment; an empty query changes nothing.
    mutating func appendQuery(_ query: String) throws(RequestSerializationError) {
        guard !query.isEmpty else { return }
        guard let url else {
            throw RequestSerializationError(reason: "the request has no URL for its query")
        }
        let text = url.absoluteString
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        var result = String(text[..<fragment])
        if !result.utf8.contains(UInt8(ascii: "?")) {
            result += "?"
        } else if !result.hasSuffix("?"), !result.hasSuffix("&") {
            result += "&"
        }
        result += query + text[fragment...]
        // The lenient form would escape what is escaped already.
        guard let url = URL(string: result, encodingInvalidCharacters: false) else {
            throw RequestSerializationError(reason: "\"\(text)\" is no URL that can have a query")
        }
        self.url = url
    }

    // `URLRequest` drops what it does not like without a word.
    private static func check(_ field: HTTPHeaders.Field) throws(RequestSerializationError) {
        guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte) else {
            throw RequestSerializationError(
                reason: "\(String(reflecting: field.name)) is no name of a header field"
            )
        }
        guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            // The value may be a secret, so the message leaves it out.
            throw RequestSerializationError(
                reason: "the value of the header field \"\(field.name)\" has control characters"
            )
        }
    }

    /// Whether a byte may stand in a token (RFC 9110 section 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
