public import Foundation

/// Changes a body before it is serialized.
///
/// A conformance is used on many threads at once.
public protocol DataPreprocessor: Sendable {
    /// Returns what is to be serialized; not called for an empty body.
    ///
    /// - Throws: anything; the request fails with ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func preprocess(_ data: Data) throws -> Data
}

/// Leaves bodies as they are.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// Makes a preprocessor.
    public init() {}

    /// Returns the body as it is.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// Removes `)]}',` and a line feed from the start of a body, where Google's services put them so that no page can
/// run it as a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Makes a preprocessor.
    public init() {}

    /// Returns the body without the prefix.
    public func preprocess(_ data: Data) throws -> Data {
        data.starts(with: Self.prefix) ? data.dropFirst(Self.prefix.count) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// Leaves bodies as they are.
    public static var passthrough: Self { Self() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// Removes the prefix of Google's services.
    public static var googleXSSI: Self { Self() }
}
