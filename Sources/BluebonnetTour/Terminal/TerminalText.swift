/// Text from anywhere, made fit for one line of a terminal, with its columns counted.
///
/// Control characters, which could move the cursor, become `?`; so does what ASCII cannot show.
/// Marks that combine and formatting that reverses are left out. A scalar that may take two columns
/// counts as two, so the true width is never more than `columns`.
struct TerminalText {
    let text: String
    let columns: Int

    init(_ text: String, usesUTF8: Bool) {
        self.init(scalars: text.unicodeScalars.compactMap { Self.shown($0, usesUTF8) })
    }

    private init(scalars: some Sequence<Unicode.Scalar>) {
        var text = String.UnicodeScalarView()
        var columns = 0
        for scalar in scalars {
            text.append(scalar)
            columns += Self.columns(of: scalar)
        }
        self.text = String(text)
        self.columns = columns
    }

    /// The text itself if it fits, else its beginning and a mark.
    func truncated(to limit: Int, mark: String) -> TerminalText {
        guard columns > limit else { return self }
        var left = limit - mark.unicodeScalars.count
        guard left >= 0 else { return TerminalText(scalars: []) }
        let kept = text.unicodeScalars.prefix { scalar in
            left -= Self.columns(of: scalar)
            return left >= 0
        }
        return TerminalText(scalars: Array(kept) + Array(mark.unicodeScalars))
    }

    private static func shown(_ scalar: Unicode.Scalar, _ usesUTF8: Bool) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar.properties.generalCategory == .control ? "?" : scalar }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return nil
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            return "?"
        default: return usesUTF8 ? scalar : "?"
        }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x1100 else { return 1 }
        // The blocks that hold wide and full-width characters (Unicode, annex 11), and emoji.
        let isWide =
            wideBlocks.contains { $0.contains(scalar.value) } || scalar.properties.isEmoji
        return isWide ? 2 : 1
    }

    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
        0xFE10...0xFE6F, 0xFF00...0xFFEF, 0x16FE0...0x1B2FF, 0x1F000...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
