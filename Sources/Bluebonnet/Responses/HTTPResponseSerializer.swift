public import Foundation

/// A serializer that returns the body unchanged.
///
/// By default it accepts every content type. An empty body becomes empty data. Serializing fails
/// only if a data preprocessor throws.
public struct HTTPResponseSerializer: ResponseSerializer {
    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    private var options: BodyOptions?

    /// Creates a serializer that by default accepts the status codes 200 to 299 and every content
    /// type.
    ///
    /// - Parameters:
    ///   - acceptableStatusCodes: The acceptable status codes. The default is 200 to 299; nil
    ///     accepts every status code.
    ///   - acceptableContentTypes: The acceptable media types, such as `application/json`. Nil, the
    ///     default, accepts every type.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = nil
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
    }

    /// Creates a serializer with Alamofire's parameters.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body before it is returned.
    ///   - emptyResponseCodes: Has no effect: an empty body becomes empty data with every status
    ///     code.
    ///   - emptyRequestMethods: Has no effect.
    @_disfavoredOverload
    public init(
        dataPreprocessor: any DataPreprocessor = .passthrough,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) {
        self.init()
        options = BodyOptions(dataPreprocessor)
    }

    /// Returns the body, or empty data if the response cannot have one.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The body.
    /// - Throws: The error of the data preprocessor.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
        isEmptyBody(data, head: head) ? Data() : try options.preprocessed(data)
    }

    /// Returns true, unless a data preprocessor is set.
    public func isCheap(byteCount: Int) -> Bool { options == nil }
}

/// Alamofire's name for ``HTTPResponseSerializer``.
public typealias DataResponseSerializer = HTTPResponseSerializer

extension ResponseSerializer where Self == HTTPResponseSerializer {
    /// A serializer that returns the body unchanged.
    public static var http: Self { Self() }

    /// A serializer that returns the body unchanged.
    public static var data: Self { Self() }
}
