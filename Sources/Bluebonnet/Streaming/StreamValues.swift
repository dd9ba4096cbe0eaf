import BluebonnetTransport
import Foundation

/// A converter of pieces to values, in order.
package protocol StreamValues<Value> {
    associatedtype Value: Sendable

    /// Adds the values that a piece completes.
    ///
    /// - Throws: An error after which nothing more can be read.
    mutating func add(
        _ piece: Data, to values: inout [Result<Value, BluebonnetError>]
    ) throws(BluebonnetError)
    /// Returns the value that remains at the end of the body, if any.
    mutating func finish() -> Result<Value, BluebonnetError>?
}

/// The frames of a body, serialized one by one.
package struct SerializedValues<Serializer: DataStreamSerializer>: StreamValues {
    private let serializer: Serializer
    private var frames: StreamFrames

    package init(_ serializer: Serializer, _ framing: StreamFraming) {
        self.serializer = serializer
        frames = StreamFrames(framing)
    }

    package mutating func add(
        _ piece: Data, to values: inout [Result<Serializer.SerializedObject, BluebonnetError>]
    ) throws(BluebonnetError) {
        var complete: [Data] = []
        defer { values += complete.map(value) }
        do throws(ResponseSerializationError) {
            try frames.add(piece, to: &complete)
        } catch {
            throw .unreadablePiece(error, nil)
        }
    }

    package mutating func finish() -> Result<Serializer.SerializedObject, BluebonnetError>? {
        frames.finish().map(value)
    }

    private func value(of frame: Data) -> Result<Serializer.SerializedObject, BluebonnetError> {
        Result { try serializer.serialize(frame) }.mapError { .unreadablePiece($0, frame) }
    }
}

/// UTF-8 texts from pieces that can split a character.
package struct TextValues: StreamValues {
    /// The start of an incomplete character, at most 3 bytes.
    private var rest = Data()

    package init() {}

    package mutating func add(
        _ piece: Data, to values: inout [Result<String, BluebonnetError>]
    ) throws(BluebonnetError) {
        let data = rest + piece
        let end = data.endIndex - Self.incompleteCount(data)
        rest = Data(data[end...])
        guard end > data.startIndex else { return }
        values.append(.success(String(decoding: data[..<end], as: UTF8.self)))
    }

    package mutating func finish() -> Result<String, BluebonnetError>? {
        defer { rest = Data() }
        return rest.isEmpty ? nil : .success(String(decoding: rest, as: UTF8.self))
    }

    /// Returns the number of bytes at the end that belong to an incomplete character.
    private static func incompleteCount(_ data: Data) -> Int {
        for (distance, byte) in data.suffix(3).reversed().enumerated() {
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return distance < 1 ? distance + 1 : 0
            case 0xE0...0xEF: return distance < 2 ? distance + 1 : 0
            case 0xF0...0xF4: return distance < 3 ? distance + 1 : 0
            default: return 0
            }
        }
        return 0
    }
}

extension BluebonnetError {
    /// Returns the error of a piece that could not be serialized.
    package static func unreadablePiece(_ cause: any Error, _ piece: Data?) -> BluebonnetError {
        cause as? BluebonnetError
            ?? .unreadableBody("\(cause)", .init(data: piece, underlying: cause))
    }
}
