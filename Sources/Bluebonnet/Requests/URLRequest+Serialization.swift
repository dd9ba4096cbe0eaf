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
    ///
    /// Repairing escapes characters that neither query can contain, and removes empty segments.
    package mutating func appendQuery(
        _ query: String, repairing: Bool = false
    ) throws(RequestSerializationError) {
        guard !query.isEmpty else { return }
        guard let url else {
            throw RequestSerializationError(reason: "the request has no URL for its query")
        }
        guard repairing || !query.utf8.contains(UInt8(ascii: "#")) else {
            throw RequestSerializationError(
                reason: "the query contains a #, which would end it; escape it as %23"
            )
        }
        let text = url.absoluteString
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        var result = String(text[..<fragment])
        if repairing {
            let mark = result.utf8.firstIndex(of: UInt8(ascii: "?")) ?? result.endIndex
            let segments = [result[mark...].dropFirst(), Substring(query)].flatMap {
                $0.split(separator: "&")
            }
            let repaired = PercentEncoding.repaired(query: segments.joined(separator: "&"))
            result.replaceSubrange(mark..., with: "?" + repaired)
        } else if !result.utf8.contains(UInt8(ascii: "?")) {
            result += "?" + query
        } else if !result.hasSuffix("?"), !result.hasSuffix("&") {
            result += "&" + query
        } else {
            result += query
        }
        result += text[fragment...]
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
