import BluebonnetTransport
import Foundation

/// A converter of pieces to values, in order.
package protocol StreamValues<Value>: Sendable {
    associatedtype Value: Sendable

    /// Whether a record has ended the stream, so that the rest of the body is not wanted.
    var isOver: Bool { get }

    /// Whether values follow one that could not be read.
    var continuesAfterFailure: Bool { get }

    /// The record that the body has begun and not ended; nil if there is none.
    var incomplete: RecordPlace? { get }

    /// Adds the values that a piece completes.
    ///
    /// - Throws: An error after which nothing more can be read.
    mutating func add(
        _ piece: Data, to values: inout [Result<Value, BluebonnetError>]
    ) throws(BluebonnetError)

    /// Adds the value that remains at the end of the body, if any.
    mutating func finish(to values: inout [Result<Value, BluebonnetError>])
}

extension StreamValues {
    package var isOver: Bool { false }
    package var continuesAfterFailure: Bool { false }
    package var incomplete: RecordPlace? { nil }
}

/// The records of a body, serialized one by one.
package struct SerializedValues<Serializer: DataStreamSerializer>: StreamValues {
    package let continuesAfterFailure: Bool
    private let serializer: Serializer
    private var frames: StreamFrames

    package init(_ serializer: Serializer, _ framing: StreamFraming) {
        self.serializer = serializer
        frames = StreamFrames(framing)
        continuesAfterFailure = framing.kind == .jsonSequence
    }

    package var isOver: Bool { frames.isOver }
    package var incomplete: RecordPlace? { frames.incomplete }

    package mutating func add(
        _ piece: Data, to values: inout [Result<Serializer.SerializedObject, BluebonnetError>]
    ) throws(BluebonnetError) {
        var complete: [StreamFrames.Frame] = []
        defer { values += complete.map(value) }
        do throws(ResponseSerializationError) {
            try frames.add(piece, to: &complete)
        } catch {
            throw .unreadablePiece(error, nil)
        }
    }

    package mutating func finish(
        to values: inout [Result<Serializer.SerializedObject, BluebonnetError>]
    ) {
        var complete: [StreamFrames.Frame] = []
        do throws(ResponseSerializationError) {
            try frames.finish(to: &complete)
            values += complete.map(value)
        } catch {
            values += complete.map(value)
            values.append(.failure(.incompleteBody(error)))
        }
    }

    private func value(
        of frame: StreamFrames.Frame
    ) -> Result<Serializer.SerializedObject, BluebonnetError> {
        switch frame {
        case .failure(let error): return .failure(.unreadablePiece(error, nil))
        case .success(let frame):
            return Result { try serializer.serialize(frame.record) }.mapError {
                .unreadableRecord($0, frame)
            }
        }
    }
}

/// The server-sent events of a body.
package struct EventValues: StreamValues {
    private var framer: EventFramer

    package init(maximumLength: Int) { framer = EventFramer(maximumLength: maximumLength) }

    package var incomplete: RecordPlace? { framer.incomplete }

    package mutating func add(
        _ piece: Data, to values: inout [Result<ServerSentEvent, BluebonnetError>]
    ) throws(BluebonnetError) {
        var events: [Framed<ServerSentEvent>] = []
        defer { values += events.map { .success($0.record) } }
        do throws(ResponseSerializationError) {
            try framer.add(piece, to: &events)
        } catch {
            throw .unreadablePiece(error, nil)
        }
    }

    /// An event that no blank line ends is discarded.
    package func finish(to values: inout [Result<ServerSentEvent, BluebonnetError>]) {}
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

    package mutating func finish(to values: inout [Result<String, BluebonnetError>]) {
        guard !rest.isEmpty else { return }
        values.append(.success(String(decoding: rest, as: UTF8.self)))
        rest = Data()
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
    /// Returns the error of a piece that could not be read.
    package static func unreadablePiece(_ cause: any Error, _ piece: Data?) -> BluebonnetError {
        cause as? BluebonnetError
            ?? .unreadableBody("\(cause)", .init(data: piece, underlying: cause))
    }

    /// Returns the error of a body that ends too early, although its connection has ended in order.
    ///
    /// For the caller, it is the same as a lost connection.
    fileprivate static func incompleteBody(_ cause: ResponseSerializationError) -> BluebonnetError {
        let failure = Exchange.Failure(
            .networkConnectionLost, message: "the response is incomplete: \(cause)")
        return .transport(failure, .init(underlying: cause))
    }

    /// Returns the error of a record that could not be serialized.
    fileprivate static func unreadableRecord(
        _ cause: any Error, _ frame: Framed<Data>
    ) -> BluebonnetError {
        if let cause = cause as? BluebonnetError { return cause }
        let text = frame.place.error("\(cause)").reason
        return .unreadableBody(text, .init(data: frame.record, underlying: cause))
    }
}
