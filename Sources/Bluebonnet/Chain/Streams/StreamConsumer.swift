import BluebonnetTransport
import Foundation

/// One of those who hear of a streamed response.
///
/// It is told of one thing after the other, by the reader of the stream alone.
protocol StreamConsumer: Sendable {
    /// Takes a piece of the body, and returns when its values have been handled.
    func receive(_ piece: Data) async
    /// Takes the end of the body, behind which no more values come.
    func finish() async
    /// Does not wait any more until values are read, since the request has ended.
    func release()
    /// Drops the values that wait to be read, after a cancel.
    func interrupt()
    /// Tells of the end of the request.
    func complete(_ completion: DataStreamRequest.Completion) async
}

/// What makes values of pieces, in order.
protocol StreamValues<Value> {
    associatedtype Value: Sendable

    /// Adds the values that a piece completes.
    ///
    /// - Throws: An error behind which nothing can be read any more.
    mutating func add(
        _ piece: Data, to values: inout [Result<Value, BluebonnetError>]
    ) throws(BluebonnetError)
    /// The value of what is left at the end of the body, if that is one.
    mutating func finish() -> Result<Value, BluebonnetError>?
}

/// Frames of a body, serialized one by one.
struct SerializedValues<Serializer: DataStreamSerializer>: StreamValues {
    private let serializer: Serializer
    private var frames: StreamFrames

    init(_ serializer: Serializer, _ framing: StreamFraming) {
        self.serializer = serializer
        frames = StreamFrames(framing)
    }

    mutating func add(
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

    mutating func finish() -> Result<Serializer.SerializedObject, BluebonnetError>? {
        frames.finish().map(value)
    }

    private func value(of frame: Data) -> Result<Serializer.SerializedObject, BluebonnetError> {
        Result { try serializer.serialize(frame) }.mapError { .unreadablePiece($0, frame) }
    }
}

/// Texts of UTF-8 whose characters may be cut by the network.
struct TextValues: StreamValues {
    /// The beginning of a character whose end has not come: three bytes at most.
    private var rest = Data()

    mutating func add(
        _ piece: Data, to values: inout [Result<String, BluebonnetError>]
    ) throws(BluebonnetError) {
        let data = rest + piece
        let end = data.endIndex - Self.incompleteCount(data)
        rest = Data(data[end...])
        guard end > data.startIndex else { return }
        values.append(.success(String(decoding: data[..<end], as: UTF8.self)))
    }

    mutating func finish() -> Result<String, BluebonnetError>? {
        defer { rest = Data() }
        return rest.isEmpty ? nil : .success(String(decoding: rest, as: UTF8.self))
    }

    /// How many bytes at the end begin a character that is not complete.
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
    /// The error of a piece that is no value.
    static func unreadablePiece(_ cause: any Error, _ piece: Data?) -> BluebonnetError {
        cause as? BluebonnetError
            ?? .unreadableBody("\(cause)", .init(data: piece, underlying: cause))
    }
}
