public import Foundation

/// Makes a value of a piece of a stream.
///
/// A conformance is used on any thread, for one piece of a stream at a time.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
    /// What a piece becomes.
    associatedtype SerializedObject: Sendable

    /// Returns the value.
    ///
    /// - Throws: anything; the stream's handler gets ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// Gives pieces as they are.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// Makes a serializer.
    public init() {}

    /// Returns the piece.
    public func serialize(_ data: Data) throws -> Data { data }
}

/// Makes texts of pieces of UTF-8; what is none becomes U+FFFD.
public struct StringStreamSerializer: DataStreamSerializer {
    /// Makes a serializer.
    public init() {}

    /// Returns the text of the piece.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

/// Decodes pieces.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
    /// The decoder.
    public let decoder: any DataDecoder
    /// Changes each piece first.
    public let dataPreprocessor: any DataPreprocessor

    /// Makes a serializer.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = .passthrough
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// Returns the decoded piece.
    ///
    /// - Throws: What the preprocessor throws, ``JSONResponseSerializer/ParseError`` for what is no JSON, or a
    ///   ``ResponseSerializationError`` that names the key path.
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
    /// Gives pieces as they are.
    public static var passthrough: Self { Self() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// Makes texts of pieces of UTF-8.
    public static var string: Self { Self() }
}

extension DataStreamSerializer {
    /// Decodes pieces.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = .passthrough
    ) -> Self where Self == DecodableStreamSerializer<T> {
        Self(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}
