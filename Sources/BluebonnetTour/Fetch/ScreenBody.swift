import Bluebonnet

/// Shows a body on a terminal: text as it arrives, JSON indented, and the size of a binary body.
struct ScreenBody {
    /// Above this size, JSON is shown as it arrives, and a binary body is not read to its end.
    private static let largest = 4 * 1024 * 1024

    private let head: ResponseHead
    private let output: Terminal
    private var kind: BodyKind?
    /// Bytes to show later: the whole body, or a part of a character.
    private var kept = Data()
    private var count: Int64 = 0
    private var endsLine = true

    init(_ head: ResponseHead, output: Terminal) {
        self.head = head
        self.output = output
    }

    /// Shows a piece; returns false if no more pieces are needed.
    mutating func add(_ piece: Data) -> Bool {
        count += Int64(piece.count)
        let kind = self.kind ?? BodyKind(head, beginning: piece)
        self.kind = kind
        switch kind {
        case .text: showText(piece)
        case .binary: return (head.expectedContentLength ?? count) <= Self.largest
        case .json, .otherText:
            kept += piece
            if kept.count > Self.largest { showKeptAsText() }
        }
        return true
    }

    /// Shows the bytes that are left; `isComplete` is false if the body ended early.
    mutating func finish(isComplete: Bool) {
        switch kind {
        case nil: break
        case .json?: showJSON(isComplete: isComplete)
        case .otherText?: showOtherText()
        case .text?: show(String(decoding: kept, as: UTF8.self))
        case .binary?: showSize(isComplete: isComplete)
        }
        kept = Data()
        if !endsLine { output.write("\n") }
    }

    private mutating func show(_ text: String) {
        guard !text.isEmpty else { return }
        let shown = BodyText.shown(text, usesUTF8: output.usesUTF8)
        output.write(shown)
        endsLine = shown.utf8.last == 0x0A
    }

    private mutating func showText(_ piece: Data) {
        kept += piece
        let end = kept.endOfLastCharacter
        show(String(decoding: kept[..<end], as: UTF8.self))
        kept = Data(kept[end...])
    }

    private mutating func showKeptAsText() {
        let piece = kept
        (kept, kind) = (Data(), .text)
        showText(piece)
    }

    private mutating func showJSON(isComplete: Bool) {
        let text = String(decoding: kept, as: UTF8.self)
        guard isComplete, JSONItem.isJSON(text) else { return show(text) }
        let output = output
        // Made safe before the styles are added, which are control sequences.
        let layout = JSONLayout.text(text) { part, kind in
            let shown = BodyText.shown(part, usesUTF8: output.usesUTF8)
            switch kind {
            case .mark: return shown
            case .name: return output.styled(shown, .blue)
            case .string: return output.styled(shown, .green)
            case .literal: return output.styled(shown, .cyan)
            }
        }
        output.write(layout)
        endsLine = false
    }

    private mutating func showOtherText() {
        let serializer = StringResponseSerializer(acceptableStatusCodes: nil)
        if let text = try? serializer.serialize(kept, head: head) { return show(text) }
        showSize(isComplete: true)
    }

    private mutating func showSize(isComplete: Bool) {
        let known = isComplete ? count : head.expectedContentLength
        let size = "of \(known == nil ? "more than " : "")\(ByteCountText.text(known ?? count))"
        output.print(
            output.styled("binary body \(size); write it to a file with -o FILE", .yellow))
        endsLine = true
    }
}

extension Data {
    /// The end of the last complete or invalid UTF-8 character.
    fileprivate var endOfLastCharacter: Index {
        for length in 1...3 where count >= length {
            let byte = self[index(endIndex, offsetBy: -length)]
            // A continuation byte belongs to an earlier one.
            if byte & 0xC0 == 0x80 { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return needed > length ? index(endIndex, offsetBy: -length) : endIndex
        }
        return endIndex
    }
}
