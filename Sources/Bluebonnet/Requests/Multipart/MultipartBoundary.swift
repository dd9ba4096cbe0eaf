import Foundation

/// The text between the parts of a body.
enum MultipartBoundary {
    /// A random boundary that no data part holds.
    ///
    /// Files and streams are not searched: they cannot hold what was drawn after they were made,
    /// but by a chance of 1 in 2^64 for each of their bytes.
    static func make(for parts: [MultipartPart], random: () -> UInt64) -> String {
        while true {
            let boundary = "Boundary+" + hexadecimal(random())
            if part(of: parts, holding: boundary) == nil { return boundary }
        }
    }

    /// The first part whose data holds a text.
    static func part(of parts: [MultipartPart], holding text: String) -> MultipartPart? {
        let search = ByteSearch(for: text)
        return parts.first { part in
            guard case .data(let data) = part.content else { return false }
            return data.withUnsafeBytes { search.finds(in: $0) }
        }
    }

    /// Whether it is one by RFC 2046 section 5.1.1.
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

/// Looks for a short text in many bytes, in steps of its length (Horspool's algorithm).
private struct ByteSearch {
    private let text: [UInt8]
    /// How far to go on for each byte that stands under the text's end.
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
