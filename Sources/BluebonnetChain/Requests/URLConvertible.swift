public import Bluebonnet

/// A type that can be converted to the URL of a request.
///
/// The conversion is called once for each attempt, on any thread.
public protocol URLConvertible: Sendable {
    /// Returns the URL; a relative URL is resolved against the manager's
    /// ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///
    /// - Throws: Any error. The task fails with
    ///   ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``, which wraps it.
    func asURL() throws -> URL
}

extension String: URLConvertible {
    /// Returns the string as a URL.
    ///
    /// Characters that a URL cannot contain are escaped, and existing escapes are kept, as in
    /// ``/Bluebonnet/HTTPSessionManager/url(for:)``.
    ///
    /// - Throws: ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``, which wraps a
    ///   ``URLConversionError``.
    public func asURL() throws -> URL {
        guard !isEmpty else { throw URLConversionError(text: self).requestError }
        if let url = URL(string: self, encodingInvalidCharacters: false) { return url }
        // A host is never escaped, because it would be another host.
        guard let url = URL(reference: self, relativeTo: nil), url.hostFault == nil else {
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
    /// - Throws: ``/Bluebonnet/BluebonnetError/invalidRequest(_:_:)``, which wraps a
    ///   ``URLConversionError``.
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
        if let url = URL(reference: text, relativeTo: nil), let fault = url.hostFault {
            return fault.reason(for: url.absoluteString)
        }
        return "\(text.withoutURLSecrets.quoted) is not a URL with a scheme and a host"
    }

    var requestError: BluebonnetError { .invalidRequest(description, .init(underlying: self)) }
}

extension URL {
    /// The reason why the URL cannot be requested, if it has a scheme and a host.
    fileprivate var hostFault: URLFault? {
        guard scheme != nil, host?.isEmpty == false else { return nil }
        return URLFault(of: self, absoluteString)
    }
}
