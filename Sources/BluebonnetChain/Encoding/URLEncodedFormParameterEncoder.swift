public import Bluebonnet

/// Puts `Encodable` parameters into the query of the URL or, as a form, into the body.
///
/// ```swift
/// let encoder = URLEncodedFormParameterEncoder(destination: .queryString)
/// request = try encoder.encode(["page": 2], into: request)
/// // …?page=2
/// ```
///
/// A ``URLEncodedFormEncoder`` writes the parameters. For ``/Bluebonnet/Parameters``, use
/// ``URLEncoding``.
///
/// A subclass must be safe to use on several threads.
open class URLEncodedFormParameterEncoder: @unchecked Sendable, ParameterEncoder {
    // Unchecked because the class is open: its properties are constant and Sendable.

    /// Where the parameters go.
    public enum Destination: Sendable, Hashable {
        /// Into the query for GET, HEAD and DELETE, and into the body for every other method.
        case methodDependent
        /// Into the query of the URL.
        case queryString
        /// Into the body.
        case httpBody

        /// Returns whether a request with the method has its parameters in the URL.
        func isQuery(for method: HTTPMethod) -> Bool {
            switch self {
            case .methodDependent: [.get, .head, .delete].contains(method)
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// An encoder with default settings, whose destination depends on the method.
    public static let `default` = URLEncodedFormParameterEncoder()

    /// The encoder that writes the parameters.
    public let encoder: URLEncodedFormEncoder

    /// Where the parameters go.
    public let destination: Destination

    /// Creates an encoder.
    ///
    /// By default, it has default settings, and the method determines the destination.
    public init(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: Destination = .methodDependent
    ) {
        (self.encoder, self.destination) = (encoder, destination)
    }

    /// Returns the request with the parameters in it, or unchanged if they are nil.
    ///
    /// A query is appended to the existing query of the URL, before the fragment. Characters of the
    /// existing query are escaped where necessary, and its empty segments are removed. Empty
    /// parameters leave the URL unchanged. A form replaces the body, and the Content-Type is
    /// `application/x-www-form-urlencoded; charset=utf-8` unless the request has one. May be called
    /// on any thread.
    ///
    /// - Throws: A ``ParameterEncoderError``.
    open func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?, into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        guard request.url != nil else {
            throw ParameterEncoderError.missingRequiredComponent(.url)
        }
        guard let method = request.method, !method.rawValue.isEmpty else {
            throw ParameterEncoderError.missingRequiredComponent(
                .httpMethod(rawValue: request.httpMethod))
        }
        var request = request
        do {
            let form: String = try encoder.encode(parameters)
            if destination.isQuery(for: method) {
                try request.appendQuery(form, repairing: true)
            } else {
                request.setBody(Data(form.utf8), contentType: URLRequest.formContentType)
            }
        } catch {
            throw ParameterEncoderError.encoderFailed(error: error)
        }
        return request
    }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// An encoder that puts parameters into the query or a form, depending on the method.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { .default }

    /// Returns an encoder that puts parameters into the query or a form.
    ///
    /// - Parameters:
    ///   - encoder: Writes the parameters. The default has default settings.
    ///   - destination: Where the parameters go. By default, the method decides.
    /// - Returns: The parameter encoder.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}
