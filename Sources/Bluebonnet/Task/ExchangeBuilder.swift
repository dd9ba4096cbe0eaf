import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Makes what exchanges consist of: messages of requests, or what in a request cannot be sent, and the
/// terms.
final class ExchangeBuilder: Sendable {
    private let terms: Exchange.Terms
    /// What the configuration says of the limits of responses that are kept in memory.
    let limits: Exchange.Limits
    /// The configuration's header fields where content is decoded, and where it is not.
    private let decodingFields: AdditionalFields
    private let rawFields: AdditionalFields
    /// The last URL that was found good: the next is often the same.
    private let lastURL = Locked("")

    init(configuration: SessionConfiguration) {
        limits = Exchange.Limits(configuration)
        var widest = limits
        // Whether a body goes to memory is known with its head, so it is the session that counts.
        widest.bodySize = max(limits.bodySize, configuration.maximumStreamedBodySize ?? .max)
        terms = Exchange.Terms(
            Self.usable(configuration.timeouts), widest,
            decodesContent: configuration.decodesContent, clock: configuration.clock)
        decodingFields = AdditionalFields(configuration, decodesContent: true)
        rawFields = AdditionalFields(configuration, decodesContent: false)
    }

    /// The configuration's header fields, checked once for all requests.
    private struct AdditionalFields {
        let all: Result<[Exchange.Field], RequestSerializationError>
        /// Those of them that a redirect takes along to another origin.
        let forAnyOrigin: Result<[Exchange.Field], RequestSerializationError>

        init(_ configuration: SessionConfiguration, decodesContent: Bool) {
            all = Result { () throws(RequestSerializationError) in
                let headers = configuration.sentHeaders(decodesContent: decodesContent)
                if let field = headers.fields.first(where: { isFraming($0.name) }) {
                    throw RequestSerializationError(
                        reason: """
                            additionalHeaders has the field \(field.name), which follows from the body \
                            of each request; leave it out
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

    /// Foundation gives every request this timeout, so it counts as none.
    private static let foundationDefaultTimeout: TimeInterval = 60

    /// The message of a request, whose absolute URL is `url`, with its own body unless there is another;
    /// `hasLeftOrigin` when the task was led to another origin, or back from one.
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

    /// The terms of a request with the options of its call.
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

    /// What is no duration at all, such as infinity, limits nothing.
    static func usable(_ seconds: TimeInterval?) -> TimeInterval? {
        seconds.flatMap { $0 > 0 && $0.isFinite ? min($0, longestTimeout) : nil }
    }

    private static func usable(_ timeouts: Exchange.Timeouts) -> Exchange.Timeouts {
        Exchange.Timeouts(
            connect: usable(timeouts.connect),
            head: usable(timeouts.head),
            idle: usable(timeouts.idle),
            // The session's, for all exchanges of a task together.
            whole: nil,
            queue: usable(timeouts.queue),
            queueStall: usable(timeouts.queueStall)
        )
    }

    /// Three weeks, in seconds: libcurl counts milliseconds in 32 bits on some platforms.
    private static let longestTimeout: TimeInterval = 1_814_400

    /// Methods whose body has a meaning say that theirs is empty (RFC 9110 section 8.6).
    private static func announcesEmptyBody(_ method: String) -> Bool {
        method == "POST" || method == "PUT" || method == "PATCH"
    }

    // MARK: URL

    private func checkedURL(_ url: URL?) throws(RequestSerializationError) -> String {
        guard let url, case let text = url.absoluteString, !text.isEmpty else {
            throw RequestSerializationError(reason: "there is no URL")
        }
        // Of the same length too, or it could be equal without being the same bytes.
        let isLast = lastURL.withLock { $0.utf8.count == text.utf8.count && $0 == text }
        guard !isLast else { return text }
        if let fault = URLFault(of: url, text) {
            throw RequestSerializationError(reason: fault.reason(for: text))
        }
        lastURL.withLock { $0 = text }
        return text
    }

    // MARK: Fields

    /// Whether a field says where a request ends, and so follows from the exchange itself.
    ///
    /// With one that says otherwise, the server would take the rest of the body for another request
    /// (RFC 9112 section 11.2).
    private static func isFraming(_ name: String) -> Bool {
        contentLength.caseInsensitiveEquals(name) || "Transfer-Encoding".caseInsensitiveEquals(name)
    }

    private static let contentLength = "Content-Length"

    /// Refuses a field that says where a request ends, unless its body ends there.
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
                the header \(field.name) is \(field.value.quoted), and \(truth); leave it out, since \
                it follows from the body
                """)
    }

    private func additionalFields(
        _ hasLeftOrigin: Bool, _ decodesContent: Bool? = nil
    ) throws(RequestSerializationError) -> [Exchange.Field] {
        let fields = decodesContent ?? terms.decodesContent ? decodingFields : rawFields
        return try (hasLeftOrigin ? fields.forAnyOrigin : fields.all).get()
    }

    /// Whether an `Authorization` field is sent that the caller has set.
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
        // A dictionary has no order, and requests should be the same every time.
        var fields = own.sorted { $0.key < $1.key }
            .map { Exchange.Field(name: $0.key, value: $0.value) }
        for field in fields where Self.isFraming(field.name) { try Self.checkFraming(field, body) }
        // The transport writes those itself.
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
