import BluebonnetTransport
import Foundation

/// Alamofire's name of ``HTTPHeaders/Field``: one header field.
public typealias HTTPHeader = HTTPHeaders.Field

extension HTTPHeaders.Field {
    /// The media types that the client takes (RFC 9110 section 12.5.1).
    public static func accept(_ value: String) -> Self { Self(name: "Accept", value: value) }

    /// The charsets that the client takes (RFC 9110 section 12.5.2).
    public static func acceptCharset(_ value: String) -> Self {
        Self(name: "Accept-Charset", value: value)
    }

    /// The content codings that the client takes (RFC 9110 section 12.5.3).
    public static func acceptEncoding(_ value: String) -> Self {
        Self(name: "Accept-Encoding", value: value)
    }

    /// The languages that the client prefers (RFC 9110 section 12.5.4).
    public static func acceptLanguage(_ value: String) -> Self {
        Self(name: "Accept-Language", value: value)
    }

    /// The client's credentials (RFC 9110 section 11.6.2).
    public static func authorization(_ value: String) -> Self {
        Self(name: "Authorization", value: value)
    }

    /// A name and a password in the Basic scheme, in UTF-8 (RFC 7617).
    public static func authorization(username: String, password: String) -> Self {
        let login = Data("\(username):\(password)".utf8).base64EncodedString()
        return authorization("Basic \(login)")
    }

    /// A token in the Bearer scheme (RFC 6750).
    public static func authorization(bearerToken: String) -> Self {
        authorization("Bearer \(bearerToken)")
    }

    /// How the body is to be presented or named (RFC 6266).
    public static func contentDisposition(_ value: String) -> Self {
        Self(name: "Content-Disposition", value: value)
    }

    /// The codings of the body (RFC 9110 section 8.4).
    public static func contentEncoding(_ value: String) -> Self {
        Self(name: "Content-Encoding", value: value)
    }

    /// The media type of the body (RFC 9110 section 8.3).
    public static func contentType(_ value: String) -> Self {
        Self(name: "Content-Type", value: value)
    }

    /// What the client calls itself (RFC 9110 section 10.1.5).
    public static func userAgent(_ value: String) -> Self { Self(name: "User-Agent", value: value) }

    /// The subprotocols that the client asks of a WebSocket (RFC 6455 section 11.3.4).
    public static func websocketProtocol(_ value: String) -> Self {
        Self(name: "Sec-WebSocket-Protocol", value: value)
    }
}
