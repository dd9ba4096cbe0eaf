import Foundation

/// Divides bytes into lines, however they are cut.
struct LineSplitter: Sendable {
    /// A line without its ending, which is valid only during a call.
    struct Line {
        let bytes: UnsafeRawBufferPointer
        /// The position of its first byte in the body.
        let start: Int
    }

    /// Whether a CR that no LF follows ends a line.
    let endsAtReturn: Bool
    /// The maximum number of bytes of a line.
    let maximumLength: Int
    /// The start of an incomplete line.
    private var rest: [UInt8] = []
    /// The position of the incomplete line in the body.
    private(set) var start = 0
    /// Whether the last byte was a CR that ended a line, to which an LF still belongs.
    private var followsReturn = false
    /// The number of bytes before the current piece.
    private var count = 0

    init(endsAtReturn: Bool, maximumLength: Int) {
        (self.endsAtReturn, self.maximumLength) = (endsAtReturn, maximumLength)
    }

    /// The position of the incomplete line; nil if there is none.
    var incompleteStart: Int? { rest.isEmpty ? nil : start }

    /// Takes the lines that a piece completes, until one is refused.
    ///
    /// - Returns: False if a line is too long or `take` returned false; the body then ends here.
    mutating func add(_ piece: Data, _ take: (Line) -> Bool) -> Bool {
        piece.withUnsafeBytes { bytes in
            var lineStart = 0
            var place = 0
            if followsReturn, bytes.first == UInt8(ascii: "\n") { (lineStart, place) = (1, 1) }
            if !bytes.isEmpty { followsReturn = false }
            if rest.isEmpty { start = count + lineStart }
            while place < bytes.count {
                let byte = bytes[place]
                let isReturn = byte == UInt8(ascii: "\r") && endsAtReturn
                guard isReturn || byte == UInt8(ascii: "\n") else {
                    place += 1
                    continue
                }
                guard end(UnsafeRawBufferPointer(rebasing: bytes[lineStart..<place]), take) else {
                    return false
                }
                place += 1
                if isReturn {
                    if place == bytes.count {
                        followsReturn = true
                    } else if bytes[place] == UInt8(ascii: "\n") {
                        place += 1
                    }
                }
                lineStart = place
                start = count + place
            }
            count += bytes.count
            rest.append(contentsOf: bytes[lineStart...])
            // A CR at the end of the piece might belong to the line's ending.
            let isEnding = !endsAtReturn && rest.last == UInt8(ascii: "\r")
            return rest.count <= (isEnding ? maximumLength + 1 : maximumLength)
        }
    }

    /// Takes the line that ends with the body, if it is not empty.
    mutating func finish(_ take: (Line) -> Bool) -> Bool {
        rest.isEmpty || end(UnsafeRawBufferPointer(start: nil, count: 0), take)
    }

    private mutating func end(_ part: UnsafeRawBufferPointer, _ take: (Line) -> Bool) -> Bool {
        guard !rest.isEmpty else { return pass(part, take) }
        rest.append(contentsOf: part)
        let whole = rest
        rest = []
        return whole.withUnsafeBytes { pass($0, take) }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, _ take: (Line) -> Bool) -> Bool {
        var bytes = bytes
        if !endsAtReturn, bytes.last == UInt8(ascii: "\r") {
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
        }
        return bytes.count <= maximumLength && take(Line(bytes: bytes, start: start))
    }
}
