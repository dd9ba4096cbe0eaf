/// Combining marks, such as accents, that are written on a letter.
///
/// Swift strings are equal if they are canonically equivalent. To hash or compare a string, Swift
/// therefore sorts the marks after each letter, in time that grows with the square of their number.
/// For a key with a million marks, that takes minutes each time.
enum CombiningMarks {
    /// The error message for a key with too many marks.
    static let excess = "a key with more than \(longestRun) combining marks in a row"

    /// The length in bytes up to which a text needs no check: each mark has at least two bytes.
    static let longestHarmlessText = 2 * longestRun

    /// Far more marks than any script puts on a letter, but few enough to sort without delay.
    private static let longestRun = 128

    /// Whether a key has so many marks in a row that it must not be hashed or compared.
    static func areTooMany(in key: String) -> Bool {
        guard key.utf8.count > longestHarmlessText else { return false }
        var count = 0
        for scalar in key.unicodeScalars {
            count = isMark(scalar) ? count + 1 : 0
            if count > longestRun { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // These three decompose into marks, although their own combining class is 0.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
