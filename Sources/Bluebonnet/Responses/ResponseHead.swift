public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// The status and headers of a response.
///
/// It is what hooks and serializers get instead of an `HTTPURLResponse`, which is dear on Linux
/// and made only when asked for.
public struct ResponseHead: Sendable {
    /// In one piece, since a head is handed on several times before anybody looks at it.
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
    /// The URL that answered: that of the last request after redirects.
    public var url: URL { parts.url }
    /// The method of the request that was answered.
    public var requestMethod: String { parts.requestMethod }
    package var exchangeHead: Exchange.Head { parts.exchangeHead }
    /// What became of the content codings of the body; nil where none was removed and none is unknown.
    ///
    /// ``headers`` stay as they were received, so that `Content-Encoding` and `Content-Length` are about
    /// the body as it was sent. This tells whether the body that callers get still has a coding.
    public var contentCodings: Exchange.ContentCodings? { parts.codings }

    /// Makes a head as a test or a stub needs it.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - headers: The header fields; default none.
    ///   - url: The URL that answered.
    ///   - requestMethod: The method of the request; default GET.
    ///   - contentCodings: What became of the body's content codings; default nil, for none.
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

    /// The header fields, in the order they arrived.
    public var headers: HTTPHeaders { HTTPHeaders(exchangeHead.fields) }

    /// The first value of a header field.
    public func value(of name: String) -> String? { exchangeHead[name] }

    /// The media type without parameters, in lower case; nil when none was sent.
    public var mimeType: String? {
        guard let value = exchangeHead["Content-Type"] else { return nil }
        // By bytes, for a mark that combines with a semicolon makes another `Character` of it.
        let essence = Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") })
        let type = essence.trimmingCharacters(in: .whitespaces).lowercased()
        return type.isEmpty ? nil : type
    }

    /// The name of the character set that the content type gives, in lower case; nil without one.
    public var charset: String? {
        guard let value = exchangeHead["Content-Type"] else { return nil }
        for part in value.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1).map { Substring($0) }
            guard pair.count == 2,
                pair[0].trimmingCharacters(in: .whitespaces).lowercased() == "charset"
            else { continue }
            let quotes = CharacterSet(charactersIn: "\"' \t")
            let name = pair[1].trimmingCharacters(in: quotes).lowercased()
            return name.isEmpty ? nil : name
        }
        return nil
    }

    /// Bytes that the body will have; nil when that is not known beforehand, as where a content coding
    /// is removed from it.
    public var expectedContentLength: Int64? {
        if cannotHaveBody { return 0 }
        guard let length = exchangeHead.declaredLength, length == 0 || !isDecoded else {
            return nil
        }
        return Int64(length)
    }

    /// Whether a content coding is removed from the body.
    var isDecoded: Bool { contentCodings?.removed.isEmpty == false }

    /// Whether HTTP rules a body out: an answer to HEAD, and the statuses 204, 205 and 304.
    public var cannotHaveBody: Bool {
        requestMethod == "HEAD" || statusCode == 204 || statusCode == 205 || statusCode == 304
    }

    /// The same as Foundation's type, made anew by each call.
    ///
    /// Fields that repeat are joined with a comma, as Foundation keeps one value for a name; use
    /// ``headers`` for those that may not be joined, such as `Set-Cookie`. Its `expectedContentLength`
    /// is -1 where a content coding is removed from the body.
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
            // Foundation declares this initializer failable and never lets it fail on Linux.
            preconditionFailure("Foundation made no response of a status and headers")
        }
        return response
    }
}

/// Foundation's response, whose header fields are about a longer or shorter body.
// Sendable: it adds no state.
private final class DecodedURLResponse: HTTPURLResponse, @unchecked Sendable {
    override var expectedContentLength: Int64 { -1 }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// Status, method and URL in one line, without user, query and fragment.
    public var description: String {
        "status \(statusCode) of \(requestMethod) \(url.withoutSecrets)"
    }

    /// What there is, with header fields as ``HTTPHeaders`` prints them.
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
