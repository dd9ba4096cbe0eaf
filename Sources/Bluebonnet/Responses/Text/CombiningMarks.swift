/// The marks that are written on a letter, such as accents.
///
/// Swift takes an é for the same as an e with an accent, and sorts the marks behind a letter to
/// find that out, in time that grows with the square of their number: a key with a million of them
/// takes minutes each time that it is hashed or compared.
enum CombiningMarks {
    /// What is wrong with a key that has too many.
    static let excess = "a key with more than \(longestRun) combining marks in a row"

    /// The bytes of the longest text that is not looked at: no mark takes less than two.
    static let longestHarmlessText = 2 * longestRun

    /// Far more than any script writes on a letter, and few enough to be sorted in no time.
    private static let longestRun = 128

    /// Whether so many follow on each other in a key that it must not be hashed or compared.
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
        // Unlike all others that are made of marks alone, these are not of the class of one.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
