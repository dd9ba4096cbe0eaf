public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// The status and header fields of a response.
///
/// Hooks and serializers receive it instead of an `HTTPURLResponse`, which is expensive on Linux
/// and created only on demand.
public struct ResponseHead: Sendable {
    /// One object, since a head is passed on several times before any of its properties is read.
    private final class Parts: Sendable {
        let url: URL
        let requestMethod: String
        let exchangeHead: Exchange.Head
        let codings: Exchange.ContentCodings?

        init(
            url: URL, requestMethod: String, exchangeHead: Exchange.Head,
            codings: Exchange.ContentCodings?
        ) {
            self.codings = codings
            self.url = url
            self.requestMethod = requestMethod
            self.exchangeHead = exchangeHead
        }
    }

    private let parts: Parts

    /// The status code.
    public var statusCode: Int { exchangeHead.statusCode }
    /// The URL that responded: that of the last request after redirects.
    public var url: URL { parts.url }
    /// The method of the request.
    public var requestMethod: String { parts.requestMethod }
    package var exchangeHead: Exchange.Head { parts.exchangeHead }
    /// The content codings of the body, removed or unknown; nil if there are none of either.
    ///
    /// ``headers`` keep the values that were received, so `Content-Encoding` and `Content-Length`
    /// describe the body as it was sent. Use this property to check whether the delivered body is
    /// still encoded.
    public var contentCodings: Exchange.ContentCodings? { parts.codings }

    /// Creates a head, for example for a test or a stub.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields; default none.
    ///   - url: The URL that responded.
    ///   - requestMethod: The method of the request; default GET.
    ///   - contentCodings: The removed and unknown content codings of the body; default nil, none.
    public init(
        statusCode: Int, headers: HTTPHeaders = [:], url: URL, requestMethod: String = "GET",
        contentCodings: Exchange.ContentCodings? = nil
    ) {
        self.init(
            Exchange.Head(statusCode: statusCode, fields: headers.fields),
            url: url,
            requestMethod: requestMethod,
            codings: contentCodings
        )
    }

    package init(
        _ head: Exchange.Head, url: URL, requestMethod: String,
        codings: Exchange.ContentCodings? = nil
    ) {
        parts = Parts(
            url: url, requestMethod: requestMethod, exchangeHead: head, codings: codings)
    }

    /// The header fields, in the order in which they arrived.
    public var headers: HTTPHeaders { HTTPHeaders(exchangeHead.fields) }

    /// Returns the first value of a header field.
    ///
    /// - Parameter name: The name of the field, in any case.
    /// - Returns: The value; nil if the response has no such field.
    public func value(of name: String) -> String? { exchangeHead[name] }

    /// The media type without parameters, in lowercase; nil if the response has none.
    public var mimeType: String? {
        guard let value = exchangeHead["Content-Type"] else { return nil }
        // By bytes: a combining mark after the semicolon would form another `Character` with it.
        let essence = Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") }).trimmed
        return essence.isEmpty ? nil : essence.lowercased()
    }

    /// The charset parameter of the content type, in lowercase; nil if there is none.
    public var charset: String? {
        guard let value = exchangeHead["Content-Type"] else { return nil }
        for part in value.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1).map { Substring($0) }
            guard pair.count == 2,
                pair[0].trimmed.lowercased() == "charset"
            else { continue }
            let quotes = CharacterSet(charactersIn: "\"' \t")
            let name = pair[1].trimmingCharacters(in: quotes).lowercased()
            return name.isEmpty ? nil : name
        }
        return nil
    }

    /// The length of the body in bytes; nil if it is not known in advance.
    ///
    /// The length is unknown if it is not declared, or if a content coding is removed from the
    /// body.
    public var expectedContentLength: Int64? {
        if cannotHaveBody { return 0 }
        guard let length = exchangeHead.declaredLength, length == 0 || !isDecoded else {
            return nil
        }
        return Int64(length)
    }

    /// Whether a content coding is removed from the body.
    var isDecoded: Bool { contentCodings?.removed.isEmpty == false }

    /// Whether HTTP allows no body: for HEAD, and with the status codes 204, 205 and 304.
    ///
    /// The content that a server sends nevertheless is dropped: the response counts as empty for
    /// serializers, downloads and streams (RFC 9110 sections 15.3.5 and 15.3.6).
    public var cannotHaveBody: Bool {
        requestMethod == "HEAD" || statusCode == 204 || statusCode == 205 || statusCode == 304
    }

    /// The head as Foundation's type, created on each access.
    ///
    /// Repeated fields are joined with commas, since Foundation keeps one value for each name. For
    /// fields that cannot be joined, such as `Set-Cookie`, use ``headers``. The response's
    /// `expectedContentLength` is -1 if a content coding is removed from the body.
    public var httpURLResponse: HTTPURLResponse {
        var fields: [String: String] = [:]
        for field in exchangeHead.fields {
            fields[field.name] = fields[field.name].map { "\($0), \(field.value)" } ?? field.value
        }
        let version = "HTTP/1.1"
        guard
            let response = isDecoded
                ? DecodedURLResponse(
                    url: url, statusCode: statusCode, httpVersion: version, headerFields: fields)
                : HTTPURLResponse(
                    url: url, statusCode: statusCode, httpVersion: version, headerFields: fields)
        else {
            // Foundation declares this initializer failable, but it never fails on Linux.
            preconditionFailure("Foundation created no HTTPURLResponse")
        }
        return response
    }
}

/// A Foundation response whose body is decoded, so the length in its header fields does not apply.
// Sendable: it adds no state.
private final class DecodedURLResponse: HTTPURLResponse, @unchecked Sendable {
    override var expectedContentLength: Int64 { -1 }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status, method and URL on one line, without user, query and fragment.
    public var description: String {
        "status \(statusCode) of \(requestMethod) \(url.withoutSecrets)"
    }

    /// The head's contents, with header fields as ``HTTPHeaders`` prints them.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "statusCode": statusCode, "requestMethod": requestMethod,
                "url": url.withoutSecrets, "headers": headers,
            ]
        )
    }
}
