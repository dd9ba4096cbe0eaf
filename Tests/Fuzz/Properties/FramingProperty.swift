import Foundation

@testable import Bluebonnet

/// The property that a body has the same records however it is cut, and that records which are
/// written are read again.
enum FramingProperty {
    private static let framings: [StreamFraming] = [
        .lines, .jsonLines, .events, .events(until: "7"), .jsonSequence, .lengthPrefixed(),
        .lengthPrefixed(.bigEndian32), .chunk,
    ]

    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let framing = input.choice(framings).limited(to: input.choice([3, 0, 20, 1000, .max]))
        let cuts = (0..<3).map { _ in Int(input.byte()) }
        let body = Array(input.rest)
        try checkRoundTrip(body, framing)
        // The network's pieces are the records.
        guard framing.kind != .chunk else { return }
        let whole = reading(of: body, inPieces: [body.count], framing)
        for sizes in [cuts, [1]] {
            let cut = reading(of: body, inPieces: sizes, framing)
            try require(cut == whole, "\(cut) instead of \(whole): \(body)")
        }
        try checkEvents(body, cuts)
    }

    /// The records of a body and what ended them.
    private static func reading(
        of body: [UInt8], inPieces sizes: [Int], _ framing: StreamFraming
    ) -> [String] {
        var frames = StreamFrames(framing)
        var found: [StreamFrames.Frame] = []
        var (failure, rest) = ("", "")
        do throws(ResponseSerializationError) {
            for piece in pieces(of: body, sizes) { try frames.add(piece, to: &found) }
            rest = frames.incomplete.map { "\($0) is incomplete" } ?? ""
            try frames.finish(to: &found)
        } catch {
            failure = error.reason
        }
        return found.map { "\($0.map { "\($0.place) \(Array($0.record))" })" } + [rest + failure]
    }

    private static func pieces(of body: [UInt8], _ sizes: [Int]) -> [Data] {
        var pieces: [Data] = []
        var start = 0
        while start < body.count {
            // A size of zero would never reach the end.
            let end = min(body.count, start + max(1, sizes[pieces.count % sizes.count]))
            // A slice, whose indices do not begin at zero.
            pieces.append(Data(body)[start..<end])
            start = end
        }
        return pieces
    }

    /// Checks that types, ids and times are the same, too.
    private static func checkEvents(_ body: [UInt8], _ cuts: [Int]) throws {
        let readings = try [[body.count], cuts, [1]].map { sizes in
            var framer = EventFramer(maximumLength: .max, lastEventID: "0")
            var events: [Framed<ServerSentEvent>] = []
            for piece in pieces(of: body, sizes) { try framer.add(piece, to: &events) }
            return (events.map(\.record), framer.lastEventID, framer.reconnectionTime)
        }
        for reading in readings {
            try require(reading == readings[0], "other events: \(body)")
            let isSplit = reading.0.contains { $0.id.contains("\0") || $0.data.contains("\r") }
            try require(!isSplit, "an event with a line ending: \(body)")
        }
    }

    private static func checkRoundTrip(_ body: [UInt8], _ framing: StreamFraming) throws {
        let framing = framing.limited(to: .max)
        // An event is text, in which invalid bytes are replaced.
        guard !framing.isOfEvents || String(validating: body, as: UTF8.self) != nil,
            let written = try? framing.written(Data(body))
        else { return }
        let read = reading(of: Array(written), inPieces: [written.count], framing)
        let record = RecordPlace(number: 1, start: 0)
        switch framing.kind {
        case .lines, .lengthPrefixed, .chunk:
            let isEmptyChunk = framing.kind == .chunk && body.isEmpty
            let expected = isEmptyChunk ? [""] : ["success(\"\(record) \(body)\")", ""]
            try require(read == expected, "\(read) of \(body)")
        default: try require(read.count <= 2 || framing.kind == .jsonSequence, "\(read) of \(body)")
        }
    }
}
