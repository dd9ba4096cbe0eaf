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

    /// Makes a serializer that accepts the statuses of a success and every content type.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = nil
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
    }

    /// The body, empty where the response cannot have one.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
        isEmptyBody(data, head: head) ? Data() : data
    }

    /// Says yes: there is nothing to do.
    public func isCheap(byteCount: Int) -> Bool { true }
}

extension ResponseSerializer where Self == HTTPResponseSerializer {
    /// Gives the body as it is.
    public static var http: Self { Self() }
}
