import BluebonnetTransport
import Foundation
import FoundationNetworking

extension URLRequest {
    /// Sets each field, after checks that `URLRequest` does not make.
    mutating func replaceFields(
        with headers: HTTPHeaders
    ) throws(RequestSerializationError) {
        var seen = HTTPHeaders()
        for field in headers {
            try field.check()
            // The first field with a name replaces existing ones, and later ones are added to it.
            if seen.contains(field.name) {
                addValue(field.value, forHTTPHeaderField: field.name)
            } else {
                setValue(field.value, forHTTPHeaderField: field.name)
            }
            seen.add(field.name, field.value)
        }
    }

    /// Adds the fields whose names the request does not have, ignoring case.
    ///
    /// If a name repeats among the fields, `URLRequest` joins its values by commas.
    mutating func addMissing(_ headers: HTTPHeaders) throws(RequestSerializationError) {
        for field in headers { try field.check() }
        let missing = headers.filter { value(forHTTPHeaderField: $0.name) == nil }
        for field in missing { addValue(field.value, forHTTPHeaderField: field.name) }
    }

    /// Sets a body and, if the request has no Content-Type, the type of the body.
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
        guard !query.utf8.contains(UInt8(ascii: "#")) else {
            throw RequestSerializationError(
                reason: "the query contains a #, which would end it; escape it as %23"
            )
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
        // The lenient initializer would escape existing escapes again.
        guard let url = URL(string: result, encodingInvalidCharacters: false) else {
            throw RequestSerializationError(
                reason:
                    "\(text.withoutURLSecrets.quoted) and the query do not form a valid URL; escape the query"
            )
        }
        self.url = url
    }
}
