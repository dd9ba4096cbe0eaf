public import Foundation

/// Gives the body as it is.
///
/// Every content type is accepted by default. An empty body gives empty data. Serializing never
/// fails.
public struct HTTPResponseSerializer: ResponseSerializer {
    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    private var options: BodyOptions?

    /// Makes a serializer that accepts the statuses of a success and every content type.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = nil
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
    }

    /// Makes a serializer, in Alamofire's words.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body first.
    ///   - emptyResponseCodes: Has no effect: an empty body is empty data, whatever the status.
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

    /// The body, empty where the response cannot have one.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
        isEmptyBody(data, head: head) ? Data() : try options.preprocessed(data)
    }

    /// Says yes: there is nothing to do, unless a preprocessor does it.
    public func isCheap(byteCount: Int) -> Bool { options == nil }
}

/// Alamofire's name of ``HTTPResponseSerializer``.
public typealias DataResponseSerializer = HTTPResponseSerializer

extension ResponseSerializer where Self == HTTPResponseSerializer {
    /// Gives the body as it is.
    public static var http: Self { Self() }

    /// Gives the body as it is.
    public static var data: Self { Self() }
}
