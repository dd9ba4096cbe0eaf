import Bluebonnet

/// The placeholders of a cassette's secrets.
///
/// A placeholder is valid in a URL, a header field, a cookie and JSON.
struct SecretPlaceholders {
    private static let prefix = "SECRET_"
    private var numbers: [String: Int] = [:]
    private var lastNumber: Int

    /// Creates placeholders whose numbers follow those in a text.
    init(behind text: String = "") {
        lastNumber =
            Self.ranges(in: Array(text.utf8)).compactMap { range in
                Int(
                    Substring(
                        text.utf8.dropFirst(range.lowerBound + Self.prefix.utf8.count)
                            .prefix(range.count - Self.prefix.utf8.count)))
            }.max() ?? 0
    }

    /// Returns the placeholder of a secret; a placeholder is returned unchanged.
    mutating func placeholder(for secret: String) -> String {
        let bytes = Array(secret.utf8)
        if Self.ranges(in: bytes) == [0..<bytes.count] { return secret }
        let number = numbers[secret] ?? lastNumber + 1
        numbers[secret] = number
        lastNumber = max(lastNumber, number)
        return "\(Self.prefix)\(number)"
    }

    /// Returns a text in lower case, except for its placeholders.
    static func lowercased(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        var (result, place) = ("", 0)
        for range in ranges(in: bytes) {
            result += String(decoding: bytes[place..<range.lowerBound], as: UTF8.self).lowercased()
            result += String(decoding: bytes[range], as: UTF8.self)
            place = range.upperBound
        }
        return result + String(decoding: bytes[place...], as: UTF8.self).lowercased()
    }

    /// Returns the ranges of the placeholders in a text.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "S")) {
            place = start + 1
            guard bytes[start...].starts(with: prefix.utf8) else { continue }
            let digits = bytes[(start + prefix.utf8.count)...].prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { continue }
            ranges.append(start..<digits.endIndex)
            place = digits.endIndex
        }
        return ranges
    }
}

/// A text of a cassette in which each placeholder matches any text.
struct PlaceholderPattern {
    private let pieces: [ArraySlice<UInt8>]

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var (pieces, place): ([ArraySlice<UInt8>], Int) = ([], 0)
        for range in SecretPlaceholders.ranges(in: bytes) {
            pieces.append(bytes[place..<range.lowerBound])
            place = range.upperBound
        }
        self.pieces = pieces + [bytes[place...]]
    }

    func matches(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard let first = pieces.first, let last = pieces.last, rest.starts(with: first) else {
            return false
        }
        guard pieces.count > 1 else { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}
