import Foundation

/// Reads server-sent events, however their bytes are cut (WHATWG HTML, 9.2.6).
struct EventFramer: Sendable {
    private var lines: LineSplitter
    private let maximumLength: Int
    private var isFirstLine = true
    /// The data of the event so far, with an LF after each line.
    private var data: [UInt8] = []
    private var type = ""
    private var id: String
    /// The length of the ids that the event has set.
    private var idCount = 0
    private var retry: Duration?
    /// The position of the event's first field; nil between events.
    private var start: Int?
    private var number = 0

    /// The id of the last event that the server has completed, with or without data.
    private(set) var lastEventID: String
    /// The last `retry` of the server; nil if it has sent none.
    private(set) var reconnectionTime: Duration?

    init(maximumLength: Int, lastEventID: String = "") {
        let maximumLength = StreamFraming.events.limited(to: maximumLength).maximumLength
        lines = LineSplitter(endsAtReturn: true, maximumLength: maximumLength)
        self.maximumLength = maximumLength
        (id, self.lastEventID) = (lastEventID, lastEventID)
    }

    /// The event that no blank line has ended; nil if there is none.
    var incomplete: RecordPlace? {
        (start ?? lines.incompleteStart).map { RecordPlace(number: number + 1, start: $0) }
    }

    /// The place of the event that follows the complete ones.
    var next: RecordPlace { RecordPlace(number: number + 1, start: start ?? lines.start) }

    /// Adds the events that a piece completes.
    ///
    /// - Throws: An error for an event that is too long.
    mutating func add(
        _ piece: Data, to events: inout [Framed<ServerSentEvent>]
    ) throws(ResponseSerializationError) {
        var splitter = lines
        lines = LineSplitter(endsAtReturn: true, maximumLength: 0)
        let fits = splitter.add(piece) { line in
            read(line, &events)
            return data.count + type.utf8.count + idCount <= maximumLength
        }
        lines = splitter
        guard fits else { throw .tooLong(next, maximumLength) }
    }

    private mutating func read(
        _ line: LineSplitter.Line, _ events: inout [Framed<ServerSentEvent>]
    ) {
        var bytes = line.bytes
        if isFirstLine {
            isFirstLine = false
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))
            }
        }
        if bytes.isEmpty {
            if let event = dispatch(from: line.start) { events.append(event) }
            return
        }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        // A comment.
        if colon == 0 { return }
        if start == nil { start = line.start }
        let name = UnsafeRawBufferPointer(rebasing: bytes[..<(colon ?? bytes.count)])
        var value = UnsafeRawBufferPointer(
            rebasing: bytes[(colon.map { $0 + 1 } ?? bytes.count)...])
        if value.first == UInt8(ascii: " ") {
            value = UnsafeRawBufferPointer(rebasing: value.dropFirst())
        }
        set(name, to: value)
    }

    private mutating func set(_ name: UnsafeRawBufferPointer, to value: UnsafeRawBufferPointer) {
        if name.elementsEqual("data".utf8) {
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        } else if name.elementsEqual("event".utf8) {
            type = String(decoding: value, as: UTF8.self)
        } else if name.elementsEqual("id".utf8) {
            guard !value.contains(0) else { return }
            id = String(decoding: value, as: UTF8.self)
            idCount = value.count
        } else if name.elementsEqual("retry".utf8), let time = Self.milliseconds(value) {
            (retry, reconnectionTime) = (time, time)
        }
    }

    /// Returns the time of a text of ASCII digits; a number that is too large is the largest one.
    private static func milliseconds(_ text: UnsafeRawBufferPointer) -> Duration? {
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let number = Int64(String(decoding: text, as: UTF8.self)) ?? .max
        return .milliseconds(min(number, .max / 1000))
    }

    /// Ends the event; returns nil if it has no data.
    private mutating func dispatch(from place: Int) -> Framed<ServerSentEvent>? {
        defer { (type, idCount, start) = ("", 0, nil) }
        lastEventID = id
        guard data.popLast() != nil else { return nil }
        number += 1
        let event = ServerSentEvent(
            type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self),
            id: id, retry: retry.take())
        data.removeAll(keepingCapacity: data.capacity <= 65_536)
        return Framed(event, RecordPlace(number: number, start: start ?? place))
    }
}
