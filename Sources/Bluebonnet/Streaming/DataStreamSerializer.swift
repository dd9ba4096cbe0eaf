public import Foundation

/// A serializer that creates values from the pieces of a stream.
///
/// It is called on any thread, for one piece of a stream at a time.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
    /// The type of the values.
    associatedtype SerializedObject: Sendable

    /// Returns the value of a piece.
    ///
    /// - Throws: Any error. The stream's handler receives ``BluebonnetError/unreadableBody(_:_:)``,
    ///   which wraps it.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// A serializer that returns pieces unchanged.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns the piece unchanged.
    public func serialize(_ data: Data) throws -> Data { data }
}

/// A serializer that returns pieces as UTF-8 text; invalid bytes become U+FFFD.
public struct StringStreamSerializer: DataStreamSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns the text of the piece.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

/// A serializer that decodes pieces.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
    /// The decoder.
    public let decoder: any DataDecoder
    /// Changes each piece before it is decoded.
    public let dataPreprocessor: any DataPreprocessor

    /// Creates a serializer.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = .passthrough
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// Returns the decoded piece.
    ///
    /// - Throws: Any error of the preprocessor, a ``JSONResponseSerializer/ParseError`` for invalid
    ///   JSON, or a ``ResponseSerializationError`` that names the key path.
    public func serialize(_ data: Data) throws -> T {
        let data = try dataPreprocessor.preprocess(data)
        do {
            guard let decoder = decoder as? JSONDecoder else {
                return try decoder.decode(T.self, from: data)
            }
            return try TypedJSONReader(decoder).value(T.self, of: JSONText(data))
        } catch let error as DecodingError {
            throw ResponseSerializationError(error)
        }
    }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
    /// A serializer that returns pieces unchanged.
    public static var passthrough: Self { Self() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// A serializer that returns pieces as UTF-8 text.
    public static var string: Self { Self() }
}

extension DataStreamSerializer {
    /// Returns a serializer that decodes pieces.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = .passthrough
    ) -> Self where Self == DecodableStreamSerializer<T> {
        Self(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}
