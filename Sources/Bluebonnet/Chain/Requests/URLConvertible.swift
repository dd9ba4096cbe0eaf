import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// What a request's URL can be made of.
///
/// A conformance may be asked on any thread, once an attempt.
public protocol URLConvertible: Sendable {
    /// The URL; a relative one is resolved against the ``HTTPSessionManager/baseURL`` of its manager.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// The URL that the text is, character by character: nothing is escaped (RFC 3986).
    ///
    /// - Throws: ``BluebonnetError/invalidRequest(_:_:)`` around a ``URLConversionError``.
    public func asURL() throws -> URL {
        guard !isEmpty, let url = URL(string: self, encodingInvalidCharacters: false) else {
            throw URLConversionError(text: self).requestError
        }
        return url
    }
}

extension URL: URLConvertible {
    /// The URL itself.
    public func asURL() throws -> URL { self }
}

extension URLComponents: URLConvertible {
    /// The URL of the components.
    ///
    /// - Throws: ``BluebonnetError/invalidRequest(_:_:)`` around a ``URLConversionError``.
    public func asURL() throws -> URL {
        guard let url, !url.absoluteString.isEmpty else {
            throw URLConversionError(text: string ?? path).requestError
        }
        return url
    }
}

/// Why something is no URL that a request can be sent to.
public struct URLConversionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was to become the URL.
    public let text: String

    /// What is wrong, without what a URL can hide: user, query and fragment.
    public var description: String {
        if text.isEmpty { return "an empty text is no URL" }
        let shown = text.withoutURLSecrets.quoted
        guard URL(string: text, encodingInvalidCharacters: false) == nil, URL(string: text) != nil
        else {
            return "\(shown) is not a URL with a scheme and a host"
        }
        return "\(shown) has a character that must be escaped in a URL, such as a space as %20"
    }

    var requestError: BluebonnetError { .invalidRequest(description, .init(underlying: self)) }
}
