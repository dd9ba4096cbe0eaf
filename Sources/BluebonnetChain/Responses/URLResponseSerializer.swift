public import Bluebonnet

/// A serializer that returns the URL of a download's file without reading it.
public struct URLResponseSerializer: ResponseSerializer {
    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types of the file; nil accepts every type.
    public var acceptableContentTypes: Set<String>?

    private let findsFile: Bool

    /// Creates a serializer that accepts every response.
    public init() {
        findsFile = false
    }

    /// Creates a serializer that throws if the file has been removed.
    init(findingFile: Bool) {
        findsFile = findingFile
    }

    /// Throws an error, because a body in memory has no URL.
    ///
    /// - Throws: A ``/Bluebonnet/ResponseSerializationError``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError.fileIsMissing
    }

    /// Returns the URL of the file.
    public func serialize(file: URL, head: ResponseHead?) throws -> URL {
        guard !findsFile || FileManager.default.fileExists(atPath: file.path) else {
            throw ResponseSerializationError.fileIsMissing
        }
        return file
    }

    /// Returns true, because the file is not read.
    public func isCheap(byteCount: Int) -> Bool { true }
}

extension ResponseSerializer where Self == URLResponseSerializer {
    /// A serializer that returns the URL of a download's file.
    public static var url: Self { Self() }
}
