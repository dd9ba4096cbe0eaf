import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What an attempt was about and how it went, without secrets, for logs, metrics and traces.
///
/// ``values`` has the names of OpenTelemetry's conventions for HTTP clients.
public struct AttemptAttributes: Sendable {
    /// The method, or `_OTHER` for one that is not registered.
    public let method: String
    /// The scheme, `http` or `https`.
    public let scheme: String
    /// The host that the attempt was sent to, before redirects, in lowercase and without brackets.
    public let host: String
    /// The port, also where it is the scheme's own.
    public let port: Int
    /// The path, without the query; empty if the URL cannot be shown without secrets.
    public private(set) var path: String
    /// The status code of the last response, or nil without one.
    public let statusCode: Int?
    /// The kind of error, such as `timeout` or `503`; nil for a success with a status below 400.
    public internal(set) var errorType: String?
    /// The number of the attempt, from 1, or 0 if there was none.
    public let attempt: Int
    /// The number of redirects that were followed.
    public let redirectCount: Int
    /// The seconds from the start of the first exchange to the end of the last one, or nil if nothing
    /// was sent.
    public let duration: TimeInterval?
    /// The seconds from the start of the last exchange to the first byte of its response, or nil.
    public let timeToFirstByte: TimeInterval?
    /// The bytes sent of bodies.
    public let requestBodyBytes: Int64
    /// The bytes received of bodies, before decoding.
    public let responseBodyBytes: Int64
    /// The version of HTTP, such as `1.1` or `2`; empty without a response.
    public let protocolVersion: String
    /// Whether the last exchange used an open connection.
    public let isConnectionReused: Bool
    /// The task's ``TaskAttributes/tag``.
    public let tag: String?
    /// The context that the attempt's ``AttemptSpan`` sent as `traceparent`; nil without one.
    public let traceContext: TraceContext?
    /// Whether the outcome is that of another task, and nothing was sent.
    public let isShared: Bool

    /// Creates attributes.
    ///
    /// - Parameters:
    ///   - summary: The attempt.
    ///   - attempt: Its number, from 1, or 0 for a task that ended without one.
    ///   - tag: The task's tag.
    public init(_ summary: AttemptSummary, attempt: Int, tag: String? = nil) {
        let method = summary.request?.httpMethod ?? "GET"
        self.method = Self.methods.contains(method) ? method : "_OTHER"
        let target = ShownURL(summary.url)
        (scheme, host, port, path) = (target.scheme, target.host, target.port, target.path)
        statusCode = summary.head?.statusCode
        // As OpenTelemetry has it, also for a status that the task accepts.
        errorType =
            summary.error?.telemetryType
            ?? summary.head.flatMap { $0.statusCode >= 400 ? "\($0.statusCode)" : nil }
        self.attempt = attempt
        self.tag = tag
        traceContext = summary.span?.traceContext
        isShared = summary.isShared
        let metrics = summary.metrics
        let last = metrics?.last
        redirectCount = metrics?.redirectCount ?? 0
        // Of a single exchange, no clock that jumps can change it.
        duration =
            metrics?.ends.count == 1 ? last?.totalDuration : metrics?.taskInterval.duration
        timeToFirstByte = last.flatMap { last in
            last.firstByteDuration.map { last.queueDuration + $0 }
        }
        let sizes = metrics?.ends.bodySizes
        requestBodyBytes = sizes?.sent ?? 0
        responseBodyBytes = sizes?.received ?? 0
        let version = last?.protocolVersion ?? ""
        protocolVersion = version.hasPrefix("HTTP/") ? String(version.dropFirst(5)) : version
        isConnectionReused = last?.isConnectionReused ?? false
    }

    init(_ summary: AttemptSummary, of event: TaskEvent) {
        self.init(summary, attempt: event.attempt, tag: event.task.attributes.tag)
        if let redactor = event.task.delegate.session.configuration.redactor {
            path = redactor.redacted(path)
        }
    }

    /// The value of an attribute.
    public enum Value: Sendable, Hashable, CustomStringConvertible {
        /// A text.
        case text(String)
        /// A whole number.
        case integer(Int64)
        /// A number, such as one of seconds.
        case number(Double)
        /// Whether something is the case.
        case flag(Bool)

        /// The value as text.
        public var description: String {
            switch self {
            case .text(let text): text
            case .integer(let number): "\(number)"
            case .number(let number): "\(number)"
            case .flag(let flag): "\(flag)"
            }
        }
    }

    /// The URL without user, query and fragment; empty without a host.
    public var url: String {
        guard !host.isEmpty else { return "" }
        let isAddress = host.utf8.contains(UInt8(ascii: ":"))
        // Not interpolated, which takes several times as long.
        var url = scheme
        url += isAddress ? "://[" : "://"
        url += host
        if isAddress { url += "]" }
        if port != (scheme == "https" ? 443 : 80) {
            url += ":"
            url += String(port)
        }
        url += path
        return url
    }

    /// The attributes with OpenTelemetry's names, in a fixed order, without those that are unknown.
    public var values: [(name: String, value: Value)] {
        var values: [(name: String, value: Value)] = [("http.request.method", .text(method))]
        if !host.isEmpty {
            values += [
                ("url.full", .text(url)), ("server.address", .text(host)),
                ("server.port", .integer(Int64(port))),
            ]
        }
        if let statusCode {
            values.append(("http.response.status_code", .integer(Int64(statusCode))))
        }
        if let errorType { values.append(("error.type", .text(errorType))) }
        if attempt > 1 {
            values.append(("http.request.resend_count", .integer(Int64(attempt - 1))))
        }
        if let duration { values.append(("http.client.request.duration", .number(duration))) }
        guard !protocolVersion.isEmpty else { return values + tagValues }
        return values + [
            ("http.request.body.size", .integer(requestBodyBytes)),
            ("http.response.body.size", .integer(responseBodyBytes)),
            ("network.protocol.version", .text(protocolVersion)),
            ("bluebonnet.connection.reused", .flag(isConnectionReused)),
        ] + tagValues
    }

    private var tagValues: [(name: String, value: Value)] {
        tag.map { [("bluebonnet.tag", .text($0))] } ?? []
    }

    /// The methods that OpenTelemetry knows, and QUERY.
    // An array, because to compare a few short texts is faster than to hash one.
    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
}

/// The parts of a URL that can be shown.
private struct ShownURL {
    private(set) var scheme = ""
    private(set) var host = ""
    private(set) var port = 0
    private(set) var path = ""

    /// Reads them from the text, because `URLComponents` takes longer than the rest of a log line.
    init(_ url: URL?) {
        guard let url else { return }
        var text = url.absoluteURL.absoluteString
        text.withUTF8 { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.count,
                bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
            else { return }
            func text(_ range: Range<Int>) -> String {
                String(decoding: bytes[range], as: UTF8.self)
            }
            scheme = text(0..<colon).lowercased()
            var start = colon + 3
            var end = start
            var portStart: Int?
            reading: while end < bytes.count {
                switch bytes[end] {
                case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break reading
                case UInt8(ascii: "@"): (start, portStart) = (end + 1, nil)
                case UInt8(ascii: ":"): portStart = end + 1
                case UInt8(ascii: "]"): portStart = nil
                default: break
                }
                end += 1
            }
            var hostEnd = portStart.map { $0 - 1 } ?? end
            port =
                portStart.flatMap { Int(text($0..<end)) } ?? (scheme == "https" ? 443 : 80)
            if start < hostEnd, bytes[start] == UInt8(ascii: "["),
                bytes[hostEnd - 1] == UInt8(ascii: "]")
            {
                start += 1
                hostEnd -= 1
            }
            // Of a URL such as `https://ann:1?pw@a.test`, what seems to be host and port is a login.
            let isPerhapsLogin =
                end < bytes.count && bytes[end] != UInt8(ascii: "/")
                && bytes[end...].contains(UInt8(ascii: "@"))
            guard start < hostEnd, !isPerhapsLogin else {
                (scheme, port) = ("", 0)
                return
            }
            host = text(start..<hostEnd).lowercased()
            let rest = bytes[end...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            path = rest.isEmpty ? "/" : text(rest.startIndex..<rest.endIndex)
        }
    }
}
