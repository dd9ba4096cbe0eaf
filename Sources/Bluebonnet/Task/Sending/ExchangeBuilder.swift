import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Creates the messages and terms of exchanges, and refuses requests that cannot be sent.
final class ExchangeBuilder: Sendable {
    private let terms: Exchange.Terms
    /// The configured limits for responses that are collected in memory.
    let limits: Exchange.Limits
    /// The configured header fields, with and without content decoding.
    private let decodingFields: AdditionalFields
    private let rawFields: AdditionalFields
    /// The last URL that passed the checks, because the next one is often the same.
    private let lastURL = Locked("")

    init(configuration: SessionConfiguration) {
        limits = Exchange.Limits(configuration)
        var widest = limits
        // The session enforces the exact limit, because only the head determines whether a body
        // goes to memory.
        widest.bodySize = max(limits.bodySize, configuration.maximumStreamedBodySize ?? .max)
        terms = Exchange.Terms(
            Self.usable(configuration.timeouts), widest,
            decodesContent: configuration.decodesContent, clock: configuration.clock)
        decodingFields = AdditionalFields(configuration, decodesContent: true)
        rawFields = AdditionalFields(configuration, decodesContent: false)
    }

    /// The configured header fields, checked once for all requests.
    private struct AdditionalFields {
        let all: Result<[Exchange.Field], RequestSerializationError>
        /// The fields that follow a redirect to another origin.
        let forAnyOrigin: Result<[Exchange.Field], RequestSerializationError>

        init(_ configuration: SessionConfiguration, decodesContent: Bool) {
            all = Result { () throws(RequestSerializationError) in
                let headers = configuration.sentHeaders(decodesContent: decodesContent)
                if let field = headers.fields.first(where: { isFraming($0.name) }) {
                    throw RequestSerializationError(
                        reason: """
                            additionalHeaders has the field \(field.name), which is derived from the \
                            body of each request; leave it out
                            """)
                }
                return try checked(headers.fields)
            }
            let originFields = OriginBoundFields(configuration)
            forAnyOrigin = all.map { fields in
                fields.filter { !originFields.contains($0.name) }
            }
        }
    }

    /// Foundation's default timeout for requests, in seconds, which counts as none.
    private static let foundationDefaultTimeout: TimeInterval = 60

    /// Returns the message of a request.
    ///
    /// `url` is the request's absolute URL. The request's own body is sent if `body` is nil.
    /// `hasLeftOrigin` is true once a redirect has led to another origin, even if a later one led
    /// back.
    func message(
        of request: URLRequest,
        to url: URL?,
        body: Exchange.Body? = nil,
        hasLeftOrigin: Bool = false,
        decodesContent: Bool? = nil
    ) throws(RequestSerializationError) -> RequestMessage {
        let method = request.httpMethod ?? "GET"
        guard !method.isEmpty, method.utf8.allSatisfy(\.isTokenByte) else {
            throw RequestSerializationError(reason: "the method \(method.quoted) is not a token")
        }
        let url = try checkedURL(url)
        let additional = try additionalFields(hasLeftOrigin, decodesContent)
        let data = request.httpBody ?? (Self.announcesEmptyBody(method) ? Data() : nil)
        let body = body ?? data.map { .data($0) }
        let fields = try fields(of: request, additional, body)
        return RequestMessage(method: method, url: url, fields: fields, body: body)
    }

    /// Returns the terms for a request with the options of its call.
    func terms(of request: URLRequest, _ options: RequestOptions.Values? = nil) -> Exchange.Terms {
        let hasOwnTimeout = request.timeoutInterval != Self.foundationDefaultTimeout
        guard hasOwnTimeout || options != nil else { return terms }
        var timeouts = terms.timeouts
        if hasOwnTimeout { timeouts.idle = Self.usable(request.timeoutInterval) }
        guard let options else { return terms.with(timeouts: timeouts) }
        if let seconds = options.idleTimeout { timeouts.idle = Self.usable(seconds) }
        if let seconds = options.connectTimeout { timeouts.connect = Self.usable(seconds) }
        if let seconds = options.headTimeout { timeouts.head = Self.usable(seconds) }
        if let seconds = options.queueTimeout { timeouts.queue = Self.usable(seconds) }
        return terms.with(timeouts: timeouts, decodesContent: options.decodesContent)
    }

    /// Returns a timeout for the transport, or nil for no limit if the value is not positive and
    /// finite.
    static func usable(_ seconds: TimeInterval?) -> TimeInterval? {
        seconds.flatMap { $0 > 0 && $0.isFinite ? min($0, longestTimeout) : nil }
    }

    private static func usable(_ timeouts: Exchange.Timeouts) -> Exchange.Timeouts {
        Exchange.Timeouts(
            connect: usable(timeouts.connect),
            head: usable(timeouts.head),
            idle: usable(timeouts.idle),
            // Enforced by the session, for all exchanges of a task together.
            whole: nil,
            queue: usable(timeouts.queue),
            queueStall: usable(timeouts.queueStall)
        )
    }

    /// Three weeks, in seconds, because libcurl counts milliseconds in 32 bits on some platforms.
    private static let longestTimeout: TimeInterval = 1_814_400

    /// Returns whether an empty body is announced, because the method gives a body a meaning (RFC
    /// 9110 section 8.6).
    private static func announcesEmptyBody(_ method: String) -> Bool {
        method == "POST" || method == "PUT" || method == "PATCH"
    }

    // MARK: URL

    private func checkedURL(_ url: URL?) throws(RequestSerializationError) -> String {
        guard let url, case let text = url.absoluteString, !text.isEmpty else {
            throw RequestSerializationError(reason: "the request has no URL")
        }
        // The lengths are compared too, because equal strings can have different bytes.
        let isLast = lastURL.withLock { $0.utf8.count == text.utf8.count && $0 == text }
        guard !isLast else { return text }
        if let fault = URLFault(of: url, text) {
            throw RequestSerializationError(reason: fault.reason(for: text))
        }
        lastURL.withLock { $0 = text }
        return text
    }

    // MARK: Fields

    /// Returns whether a field determines where a request ends.
    ///
    /// Such a field is derived from the exchange. With a wrong value, the server would read the
    /// rest of the body as another request (RFC 9112 section 11.2).
    private static func isFraming(_ name: String) -> Bool {
        contentLength.caseInsensitiveEquals(name) || "Transfer-Encoding".caseInsensitiveEquals(name)
    }

    private static let contentLength = "Content-Length"

    /// Throws an error if a field that determines where a request ends does not match the body.
    private static func checkFraming(
        _ field: Exchange.Field, _ body: Exchange.Body?
    ) throws(RequestSerializationError) {
        let length = body == nil ? 0 : body?.length
        let isTrue =
            contentLength.caseInsensitiveEquals(field.name)
            ? length != nil && Int64(field.value) == length
            : length == nil && "chunked".caseInsensitiveEquals(field.value)
        guard !isTrue else { return }
        let truth =
            body == nil
            ? "the request has no body"
            : length.map { "the body has \($0) bytes" } ?? "the length of the body is not known"
        throw RequestSerializationError(
            reason: """
                the header \(field.name) is \(field.value.quoted), but \(truth); leave it out, \
                because it is derived from the body
                """)
    }

    private func additionalFields(
        _ hasLeftOrigin: Bool, _ decodesContent: Bool? = nil
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        let fields = decodesContent ?? terms.decodesContent ? decodingFields : rawFields
        return try (hasLeftOrigin ? fields.forAnyOrigin : fields.all).get()
    }

    /// Returns whether an `Authorization` field is sent that the caller has set.
    func hasOwnAuthorization(_ request: URLRequest, hasLeftOrigin: Bool) -> Bool {
        request.value(forHTTPHeaderField: "Authorization") != nil
            || (try? additionalFields(hasLeftOrigin))?.contains {
                $0.name.caseInsensitiveEquals("Authorization")
            } == true
    }

    private func fields(
        of request: URLRequest,
        _ additional: [Exchange.Field],
        _ body: Exchange.Body?
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        guard let own = request.allHTTPHeaderFields, !own.isEmpty else { return additional }
        // Sorted, because a dictionary has no order and requests should be reproducible.
        var fields = own.sorted { $0.key < $1.key }
            .map { Exchange.Field(name: $0.key, value: $0.value) }
        for field in fields where Self.isFraming(field.name) { try Self.checkFraming(field, body) }
        // The transport writes these fields itself.
        fields = try Self.checked(fields.filter { !Self.isFraming($0.name) })
        for field in additional
        where !own.keys.contains(where: { $0.caseInsensitiveEquals(field.name) }) {
            fields.append(field)
        }
        return fields
    }

    private static func checked(
        _ fields: [Exchange.Field]
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        for field in fields { try field.check() }
        return fields
    }
}

extension Exchange.Limits {
    fileprivate init(_ configuration: SessionConfiguration) {
        self.init(
            bodySize: configuration.maximumResponseBodySize,
            encodedBodySize: configuration.maximumEncodedBodySize ?? .max,
            expansionRatio: max(0, configuration.maximumExpansionRatio ?? .max),
            headSize: configuration.maximumResponseHeadSize,
            fieldCount: configuration.maximumResponseHeaderCount
        )
        trailerSize = configuration.maximumTrailerSize
        trailerFieldCount = configuration.maximumTrailerCount
        interimResponseCount = configuration.maximumInterimResponses
        contentCodingCount = configuration.maximumContentCodings
    }
}
