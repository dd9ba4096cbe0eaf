import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The header fields that are sent only to their own origin (RFC 9110 section 15.4).
struct OriginBoundFields {
    /// Whether credentials are sent to other origins anyway; `Host` never is.
    private let keepsCredentials: Bool
    private let furtherNames: Set<String>

    /// `span` is the span of the attempt whose request is redirected, if it has one.
    init(_ configuration: SessionConfiguration, span: OpenSpan? = nil) {
        keepsCredentials = configuration.keepsCredentialsAcrossOrigins
        var names = configuration.headersBoundToOrigin
        if configuration.tracer != nil, !configuration.keepsTraceContextAcrossOrigins {
            names.formUnion(["traceparent", "tracestate"])
            for field in span?.fields ?? [] { names.insert(field.name) }
        }
        furtherNames = names
    }

    private static let names = ["Host"]
    /// `Referer` reveals the previous URL, whose query can be secret.
    private static let secretNames = ["WWW-Authenticate", "Proxy-Authenticate", "Referer"]

    func contains(_ name: String) -> Bool {
        Self.names.contains { $0.caseInsensitiveEquals(name) }
            || furtherNames.contains { $0.caseInsensitiveEquals(name) }
            || (!keepsCredentials
                && (Self.secretNames.contains { $0.caseInsensitiveEquals(name) }
                    || SecretFieldNames.contains(name)))
    }
}

extension URLRequest {
    func hasSameOrigin(as other: URLRequest) -> Bool {
        url.flatMap { AuthenticationOrigin($0.absoluteURL) }
            == other.url.flatMap { AuthenticationOrigin($0.absoluteURL) }
    }
}
