import Foundation

/// Functions for the boundary, which is the text between the parts of a body.
enum MultipartBoundary {
    /// Returns a random boundary that no data part contains.
    ///
    /// Files and streams are not searched. The chance that one contains a boundary drawn after it
    /// was created is 1 in 2^64 for each of its bytes.
    static func make(for parts: [MultipartPart], random: () -> UInt64) -> String {
        while true {
            let boundary = "Boundary+" + hexadecimal(random())
            if part(of: parts, holding: boundary) == nil { return boundary }
        }
    }

    /// Returns the first part whose data contains a text, or nil.
    static func part(of parts: [MultipartPart], holding text: String) -> MultipartPart? {
        let search = ByteSearch(for: text)
        return parts.first { part in
            guard case .data(let data) = part.content else { return false }
            return data.withUnsafeBytes { search.finds(in: $0) }
        }
    }

    /// Returns whether a text is a valid boundary (RFC 2046 section 5.1.1).
    static func isValid(_ boundary: String) -> Bool {
        (1...70).contains(boundary.utf8.count) && !boundary.hasSuffix(" ")
            && boundary.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A search for a short text in many bytes, by Horspool's algorithm.
private struct ByteSearch {
    private let text: [UInt8]
    /// For each byte value at the end of the compared range, the distance to the next comparison.
    private var steps: [Int]

    init(for string: String) {
        text = Array(string.utf8)
        steps = Array(repeating: text.count, count: 256)
        for (place, byte) in text.dropLast().enumerated() {
            steps[Int(byte)] = text.count - 1 - place
        }
    }

    func finds(in bytes: UnsafeRawBufferPointer) -> Bool {
        var end = text.count
        while end <= bytes.count {
            let last = bytes[end - 1]
            if last == text[text.count - 1], bytes[(end - text.count)..<end].elementsEqual(text) {
                return true
            }
            end += steps[Int(last)]
        }
        return false
    }
}
