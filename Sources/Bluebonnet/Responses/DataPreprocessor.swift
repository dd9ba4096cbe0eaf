public import Foundation

/// A type that changes a body before it is serialized.
///
/// It is used on several threads at the same time.
public protocol DataPreprocessor: Sendable {
    /// Returns the data to serialize; not called for an empty body.
    ///
    /// - Throws: Any error. The request fails with ``BluebonnetError/unreadableBody(_:_:)``, which
    ///   wraps it.
    func preprocess(_ data: Data) throws -> Data
}

/// A preprocessor that returns bodies unchanged.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// Creates a preprocessor.
    public init() {}

    /// Returns the body unchanged.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// A preprocessor that removes `)]}',` and a line feed from the start of a body.
///
/// Google's services add this prefix to prevent web pages from running the body as a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Creates a preprocessor.
    public init() {}

    /// Returns the body without the prefix.
    public func preprocess(_ data: Data) throws -> Data {
        data.starts(with: Self.prefix) ? data.dropFirst(Self.prefix.count) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// A preprocessor that returns bodies unchanged.
    public static var passthrough: Self { Self() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// A preprocessor that removes the prefix of Google's services.
    public static var googleXSSI: Self { Self() }
}
