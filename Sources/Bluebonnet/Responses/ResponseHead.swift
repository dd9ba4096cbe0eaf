package import BluebonnetTransport
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

        init(url: URL, requestMethod: String, exchangeHead: Exchange.Head) {
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

    /// Makes a head as a test or a stub needs it.
    public init(
        statusCode: Int, headers: HTTPHeaders = [:], url: URL, requestMethod: String = "GET"
    ) {
        self.init(
            Exchange.Head(statusCode: statusCode, fields: headers.fields),
            url: url,
            requestMethod: requestMethod
        )
    }

    package init(_ head: Exchange.Head, url: URL, requestMethod: String) {
        parts = Parts(url: url, requestMethod: requestMethod, exchangeHead: head)
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

    /// Bytes that the body will have on the wire; nil when that is not known beforehand.
    public var expectedContentLength: Int64? {
        if cannotHaveBody { return 0 }
        return exchangeHead.declaredLength.map { Int64($0) }
    }

    /// Whether HTTP rules a body out: an answer to HEAD, and the statuses 204, 205 and 304.
    public var cannotHaveBody: Bool {
        requestMethod == "HEAD" || statusCode == 204 || statusCode == 205 || statusCode == 304
    }

    /// The same as Foundation's type, made anew by each call.
    ///
    /// Fields that repeat are joined with a comma, as Foundation keeps one value for a name; use
    /// ``headers`` for those that may not be joined, such as `Set-Cookie`.
    public var httpURLResponse: HTTPURLResponse {
        var fields: [String: String] = [:]
        for field in exchangeHead.fields {
            fields[field.name] = fields[field.name].map { "\($0), \(field.value)" } ?? field.value
        }
        guard
            let response = HTTPURLResponse(
                url: url,
                statusCode: statusCode,
                httpVersion: "HTTP/1.1",
                headerFields: fields
            )
        else {
            // Foundation declares this initializer failable and never lets it fail on Linux.
            preconditionFailure("Foundation made no response of a status and headers")
        }
        return response
    }
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
