import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// A type that can be converted to the URL of a request.
///
/// The conversion is called once for each attempt, on any thread.
public protocol URLConvertible: Sendable {
    /// Returns the URL; a relative URL is resolved against the manager's
    /// ``HTTPSessionManager/baseURL``.
    ///
    /// - Throws: Any error. The task fails with ``BluebonnetError/invalidRequest(_:_:)``, which
    ///   wraps it.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// Returns the string as a URL, without escaping any character (RFC 3986).
    ///
    /// - Throws: ``BluebonnetError/invalidRequest(_:_:)``, which wraps a ``URLConversionError``.
    public func asURL() throws -> URL {
        guard !isEmpty, let url = URL(string: self, encodingInvalidCharacters: false) else {
            throw URLConversionError(text: self).requestError
        }
        return url
    }
}

extension URL: URLConvertible {
    /// Returns the URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// Returns the URL of the components.
    ///
    /// - Throws: ``BluebonnetError/invalidRequest(_:_:)``, which wraps a ``URLConversionError``.
    public func asURL() throws -> URL {
        guard let url, !url.absoluteString.isEmpty else {
            throw URLConversionError(text: string ?? path).requestError
        }
        return url
    }
}

/// An error that describes why a value is not a URL to which a request can be sent.
public struct URLConversionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text that is not a valid URL.
    public let text: String

    /// What is wrong, without the parts of a URL that can contain secrets: user, query and
    /// fragment.
    public var description: String {
        if text.isEmpty { return "an empty string is not a URL" }
        let shown = text.withoutURLSecrets.quoted
        guard URL(string: text, encodingInvalidCharacters: false) == nil, URL(string: text) != nil
        else {
            return "\(shown) is not a URL with a scheme and a host"
        }
        return "\(shown) has a character that must be escaped in a URL, such as a space as %20"
    }

    var requestError: BluebonnetError { .invalidRequest(description, .init(underlying: self)) }
}
