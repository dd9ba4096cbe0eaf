import Foundation

/// Divides the pieces of a body into the records of a framing.
struct StreamFrames: Sendable {
    typealias Frame = Result<Framed<Data>, ResponseSerializationError>

    private enum Framer: Sendable {
        case chunk(number: Int, count: Int)
        case lines(LineSplitter, skipsEmpty: Bool, number: Int)
        case events(EventFramer, until: String?)
        case jsonSequence(JSONSequenceFramer)
        case lengthPrefixed(LengthPrefixFramer)
    }

    private var framer: Framer
    private let maximumLength: Int
    /// Whether a record has ended the stream before the body ends.
    private(set) var isOver = false

    init(_ framing: StreamFraming) {
        maximumLength = framing.maximumLength
        switch framing.kind {
        case .chunk: framer = .chunk(number: 0, count: 0)
        case .lines, .jsonLines:
            let isText = framing.kind == .lines
            let splitter = LineSplitter(endsAtReturn: isText, maximumLength: maximumLength)
            framer = .lines(splitter, skipsEmpty: !isText, number: 0)
        case .events(let last):
            framer = .events(EventFramer(maximumLength: maximumLength), until: last)
        case .jsonSequence: framer = .jsonSequence(JSONSequenceFramer(maximumLength: maximumLength))
        case .lengthPrefixed(let prefix):
            framer = .lengthPrefixed(LengthPrefixFramer(prefix, maximumLength: maximumLength))
        }
    }

    /// The record that the body has begun and not ended; nil if there is none.
    var incomplete: RecordPlace? {
        // After the last record, anything may follow.
        if isOver { return nil }
        return switch framer {
        case .chunk: nil
        case .lines(let splitter, _, let number):
            splitter.incompleteStart.map { RecordPlace(number: number + 1, start: $0) }
        case .events(let events, _): events.incomplete
        case .jsonSequence(let sequence): sequence.incomplete
        case .lengthPrefixed(let messages): messages.incomplete
        }
    }

    /// Adds the records that a piece completes.
    ///
    /// - Throws: An error after which nothing more can be read.
    mutating func add(
        _ piece: Data, to frames: inout [Frame]
    ) throws(ResponseSerializationError) {
        if isOver { return }
        // Out of `self`, so that the framer's buffers are not copied.
        let current = framer
        framer = .chunk(number: 0, count: 0)
        switch consume current {
        case .chunk(let number, let count):
            let isRecord = !piece.isEmpty
            if isRecord {
                frames.append(
                    .success(Framed(piece, RecordPlace(number: number + 1, start: count))))
            }
            framer = .chunk(
                number: isRecord ? number + 1 : number, count: count + piece.count)
        case .lines(var splitter, let skipsEmpty, var number):
            let fits = splitter.add(piece) { line in
                Self.add(line, skipsEmpty, &number, to: &frames)
            }
            let start = splitter.start
            framer = .lines(splitter, skipsEmpty: skipsEmpty, number: number)
            guard fits else {
                throw .tooLong(RecordPlace(number: number + 1, start: start), maximumLength)
            }
        case .events(var events, let last):
            var found: [Framed<ServerSentEvent>] = []
            defer {
                for event in found where !isOver {
                    isOver = event.record.data == last
                    if !isOver {
                        frames.append(
                            .success(Framed(Data(event.record.data.utf8), event.place)))
                    }
                }
                framer = .events(events, until: last)
            }
            do throws(ResponseSerializationError) {
                try events.add(piece, to: &found)
            } catch {
                // After the last record, anything may follow.
                if !found.contains(where: { $0.record.data == last }) { throw error }
            }
        case .jsonSequence(var sequence):
            defer { framer = .jsonSequence(sequence) }
            try sequence.add(piece, to: &frames)
        case .lengthPrefixed(var messages):
            var found: [Framed<Data>] = []
            defer {
                frames += found.map { .success($0) }
                framer = .lengthPrefixed(messages)
            }
            try messages.add(piece, to: &found)
        }
    }

    /// Adds the record that ends with the body, if any.
    ///
    /// - Throws: An error if the body ends within a record that has a length, or before the record
    ///   that ends the stream.
    mutating func finish(to frames: inout [Frame]) throws(ResponseSerializationError) {
        switch framer {
        case .chunk, .events(_, until: nil): break
        case .events(let events, let last?):
            // Whether the server has sent everything is known from that event alone.
            if !isOver { throw events.next.error("the body ends before the event \"\(last)\"") }
        case .lines(var splitter, let skipsEmpty, var number):
            _ = splitter.finish { Self.add($0, skipsEmpty, &number, to: &frames) }
        case .jsonSequence(var sequence): sequence.finish(to: &frames)
        case .lengthPrefixed(let messages): try messages.finish()
        }
        framer = .chunk(number: 0, count: 0)
    }

    private static func add(
        _ line: LineSplitter.Line, _ skipsEmpty: Bool, _ number: inout Int,
        to frames: inout [Frame]
    ) -> Bool {
        if line.bytes.isEmpty, skipsEmpty { return true }
        number += 1
        let place = RecordPlace(number: number, start: line.start)
        frames.append(.success(Framed(Data(line.bytes), place)))
        return true
    }
}
