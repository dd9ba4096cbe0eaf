import BluebonnetTransport
import Foundation

/// Alamofire's name for ``HTTPHeaders/Field``.
public typealias HTTPHeader = HTTPHeaders.Field

extension HTTPHeaders.Field {
    /// Returns an `Accept` field: the accepted media types (RFC 9110 section 12.5.1).
    public static func accept(_ value: String) -> Self { Self(name: "Accept", value: value) }

    /// Returns an `Accept-Charset` field: the accepted charsets (RFC 9110 section 12.5.2).
    public static func acceptCharset(_ value: String) -> Self {
        Self(name: "Accept-Charset", value: value)
    }

    /// Returns an `Accept-Encoding` field: the accepted content codings (RFC 9110 section 12.5.3).
    public static func acceptEncoding(_ value: String) -> Self {
        Self(name: "Accept-Encoding", value: value)
    }

    /// Returns an `Accept-Language` field: the preferred languages (RFC 9110 section 12.5.4).
    public static func acceptLanguage(_ value: String) -> Self {
        Self(name: "Accept-Language", value: value)
    }

    /// Returns an `Authorization` field: the client's credentials (RFC 9110 section 11.6.2).
    public static func authorization(_ value: String) -> Self {
        Self(name: "Authorization", value: value)
    }

    /// Returns an `Authorization` field in the Basic scheme, encoded in UTF-8 (RFC 7617).
    ///
    /// - Parameters:
    ///   - username: The user name, without a colon.
    ///   - password: The password.
    /// - Returns: The field.
    public static func authorization(username: String, password: String) -> Self {
        let login = Data("\(username):\(password)".utf8).base64EncodedString()
        return authorization("Basic \(login)")
    }

    /// Returns an `Authorization` field with a token in the Bearer scheme (RFC 6750).
    ///
    /// - Parameter bearerToken: The token, without the word `Bearer`.
    /// - Returns: The field.
    public static func authorization(bearerToken: String) -> Self {
        authorization("Bearer \(bearerToken)")
    }

    /// Returns a `Content-Disposition` field: how to present or name the body (RFC 6266).
    public static func contentDisposition(_ value: String) -> Self {
        Self(name: "Content-Disposition", value: value)
    }

    /// Returns a `Content-Encoding` field: the codings of the body (RFC 9110 section 8.4).
    public static func contentEncoding(_ value: String) -> Self {
        Self(name: "Content-Encoding", value: value)
    }

    /// Returns a `Content-Type` field: the media type of the body (RFC 9110 section 8.3).
    public static func contentType(_ value: String) -> Self {
        Self(name: "Content-Type", value: value)
    }

    /// Returns a `User-Agent` field: the product name of the client (RFC 9110 section 10.1.5).
    public static func userAgent(_ value: String) -> Self { Self(name: "User-Agent", value: value) }

    /// Returns a `Sec-WebSocket-Protocol` field: the requested subprotocols (RFC 6455 section
    /// 11.3.4).
    public static func websocketProtocol(_ value: String) -> Self {
        Self(name: "Sec-WebSocket-Protocol", value: value)
    }
}
