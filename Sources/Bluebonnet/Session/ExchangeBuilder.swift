import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Makes an exchange of a request, or says what in the request cannot be sent.
struct ExchangeBuilder {
    let configuration: SessionConfiguration
    let pool: Exchange.Pool

    /// Foundation gives every request this timeout, so it counts as none.
    private static let foundationDefaultTimeout: TimeInterval = 60

    func exchange(for request: URLRequest) throws(RequestSerializationError) -> Exchange {
        let method = request.httpMethod ?? "GET"
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else {
            throw RequestSerializationError(reason: "the method \(method.quoted) is not a token")
        }
        guard request.httpBodyStream == nil else {
            throw RequestSerializationError(
                reason: "a data task sends its body from memory; set httpBody instead of a stream"
            )
        }
        var exchange = Exchange(
            method: method,
            url: try Self.checkedURL(request.url),
            fields: try fields(of: request),
            pool: pool
        )
        exchange.body = request.httpBody ?? (Self.announcesEmptyBody(method) ? Data() : nil)
        exchange.decodesContent = configuration.decodesContent
        exchange.timeouts = configuration.timeouts
        if request.timeoutInterval != Self.foundationDefaultTimeout {
            exchange.timeouts.idle = request.timeoutInterval
        }
        exchange.limits = Exchange.Limits(
            bodySize: configuration.maximumResponseBodySize,
            headSize: configuration.maximumResponseHeadSize,
            fieldCount: configuration.maximumResponseHeaderCount
        )
        return exchange
    }

    /// Methods whose body has a meaning say that theirs is empty (RFC 9110 section 8.6).
    private static func announcesEmptyBody(_ method: String) -> Bool {
        method == "POST" || method == "PUT" || method == "PATCH"
    }

    // MARK: URL

    private static func checkedURL(_ url: URL?) throws(RequestSerializationError) -> String {
        guard let text = url?.absoluteString, !text.isEmpty else {
            throw RequestSerializationError(reason: "there is no URL")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw RequestSerializationError(
                reason: "the URL \(text.quoted) holds a character that must be percent-encoded"
            )
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw RequestSerializationError(reason: "the URL \(text.quoted) is not absolute")
        }
        let scheme = String(text[..<colon])
        guard scheme.caseInsensitiveEquals("http") || scheme.caseInsensitiveEquals("https") else {
            throw RequestSerializationError(
                reason: "the scheme \(scheme.quoted) is not supported; http and https are"
            )
        }
        let rest = text.utf8[text.utf8.index(after: colon)...]
        guard rest.starts(with: "//".utf8) else {
            throw RequestSerializationError(reason: "the URL \(text.quoted) has no host")
        }
        try check(authority: rest.dropFirst(2).prefix { !Self.authorityEnds.contains($0) })
        return text
    }

    private static let authorityEnds = Set("/?#".utf8)

    private static func check(
        authority: Substring.UTF8View
    ) throws(RequestSerializationError) {
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw RequestSerializationError(
                reason: "the URL has a user name or password in it; send an Authorization header"
            )
        }
        guard let first = authority.first, first != UInt8(ascii: ":") else {
            throw RequestSerializationError(reason: "the URL has no host")
        }
        // Parsers disagree about where a host with a backslash ends.
        guard !authority.contains(UInt8(ascii: "\\")) else {
            throw RequestSerializationError(reason: "the URL's host holds a backslash")
        }
    }

    // MARK: Fields

    /// Fields that follow from the exchange itself and are not the caller's to set.
    private static let framingFields = ["Content-Length", "Transfer-Encoding"]

    private func fields(
        of request: URLRequest
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        guard let own = request.allHTTPHeaderFields, !own.isEmpty else {
            return try checked(configuration.additionalHeaders.fields)
        }
        // A dictionary has no order, and requests should be the same every time.
        var fields = own.sorted { $0.key < $1.key }
            .map { Exchange.Field(name: $0.key, value: $0.value) }
            .filter { field in
                !Self.framingFields.contains { $0.caseInsensitiveEquals(field.name) }
            }
        for field in configuration.additionalHeaders
        where !own.keys.contains(where: { $0.caseInsensitiveEquals(field.name) }) {
            fields.append(field)
        }
        return try checked(fields)
    }

    private func checked(
        _ fields: [Exchange.Field]
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenByte) else {
                throw RequestSerializationError(
                    reason: "the header name \(field.name.quoted) is not a token"
                )
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                // The value may be a secret, so it is not repeated.
                throw RequestSerializationError(
                    reason: "the value of the header \(field.name) holds a control character"
                )
            }
        }
        return fields
    }
}

extension String {
    /// In quotes, with control characters made visible, and cut to a readable length.
    fileprivate var quoted: String { prefix(200).debugDescription }
}
