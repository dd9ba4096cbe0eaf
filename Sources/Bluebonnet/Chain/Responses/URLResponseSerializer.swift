public import Foundation

/// Gives the file of a download, which is not read.
public struct URLResponseSerializer: ResponseSerializer {
    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the file may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?

    private let findsFile: Bool

    /// Makes a serializer that accepts every response.
    public init() {
        findsFile = false
    }

    /// Makes a serializer that fails where the file is gone.
    init(findingFile: Bool) {
        findsFile = findingFile
    }

    /// Has no URL for a body in memory.
    ///
    /// - Throws: A ``ResponseSerializationError``.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> URL {
        throw ResponseSerializationError.fileIsMissing
    }

    /// The file.
    public func serialize(file: URL, head: ResponseHead?) throws -> URL {
        guard !findsFile || FileManager.default.fileExists(atPath: file.path) else {
            throw ResponseSerializationError.fileIsMissing
        }
        return file
    }

    /// Says yes: there is nothing to do.
    public func isCheap(byteCount: Int) -> Bool { true }
}

extension ResponseSerializer where Self == URLResponseSerializer {
    /// Gives the file of a download.
    public static var url: Self { Self() }
}
