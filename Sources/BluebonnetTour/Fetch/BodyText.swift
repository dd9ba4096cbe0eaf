/// Makes the text of a body safe for a terminal: it cannot move the cursor or change colors.
enum BodyText {
    /// Returns the text with replacement marks for control characters, but with line ends and tabs.
    static func shown(_ text: String, usesUTF8: Bool) -> String {
        var result = String.UnicodeScalarView()
        var follows: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { follows = scalar }
            switch scalar {
            case "\n": result.append("\n")
            case "\t": result.append("\t")
            case "\r": continue
            default:
                // A lone carriage return ends a line too.
                if follows == "\r" { result.append("\n") }
                result.append(shown(scalar, usesUTF8))
            }
        }
        return String(result)
    }

    private static func shown(_ scalar: Unicode.Scalar, _ usesUTF8: Bool) -> Unicode.Scalar {
        guard usesUTF8 || scalar.isASCII else { return "?" }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return usesUTF8 ? "\u{FFFD}" : "?"
        // Overrides of the direction of text.
        case .format where turns.contains(scalar.value): return "\u{FFFD}"
        default: return scalar
        }
    }

    private static let turns: Set<UInt32> = [
        0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
        0x2069,
    ]
}
