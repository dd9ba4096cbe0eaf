import BluebonnetTransport
import Foundation
import FoundationNetworking

extension URLRequest {
    /// Creates a request with a method.
    package init(_ method: HTTPMethod, _ url: URL) {
        self.init(url: url)
        // GET is the default, and setting a method is expensive in Foundation.
        if method != .get { httpMethod = method.rawValue }
    }

    /// Appends to the query of the URL, before its fragment; an empty query changes nothing.
    package mutating func appendQuery(_ query: String) throws(RequestSerializationError) {
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
