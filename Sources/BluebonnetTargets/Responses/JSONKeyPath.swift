import BluebonnetChain

/// A path to a value in a JSON document: names and array indexes joined by dots, such as
/// `data.repos.0.name`.
///
/// A name that contains dots matches a member with that whole name.
struct JSONKeyPath {
    private let components: [Substring]

    init(_ text: String) {
        components = text.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Returns the UTF-8 text of the value at the path; nil if there is none or the root is not an
    /// object.
    ///
    /// The syntax of the document must have been checked.
    func text(in document: Data) -> Data? {
        var scanner = JSONScanner(document)
        scanner.skipSpace()
        guard scanner.next == UInt8(ascii: "{"),
            let range = range(of: components[...], in: &scanner)
        else { return nil }
        return document[
            document.startIndex + range.lowerBound..<document.startIndex + range.upperBound]
    }

    private func range(of path: ArraySlice<Substring>, in scanner: inout JSONScanner) -> Range<Int>?
    {
        guard let first = path.first else { return scanner.skipValue() }
        switch scanner.next {
        case UInt8(ascii: "{"):
            let members = scanner.members()
            // Longest name first, because names can contain dots; of equal names, the first one
            // counts.
            for count in stride(from: path.count, to: 0, by: -1) {
                let name = path.prefix(count).joined(separator: ".")
                guard let member = members.first(where: { $0.name == name }) else { continue }
                scanner.place = member.place
                return range(of: path.dropFirst(count), in: &scanner)
            }
            return nil
        case UInt8(ascii: "["):
            guard let index = Int(first), index >= 0 else { return nil }
            let elements = scanner.elements()
            guard elements.indices.contains(index) else { return nil }
            scanner.place = elements[index]
            return range(of: path.dropFirst(), in: &scanner)
        default: return nil
        }
    }
}

/// Finds the ranges of values in a document whose syntax has been checked.
private struct JSONScanner {
    private let bytes: [UInt8]
    var place = 0

    init(_ document: Data) {
        bytes = Array(document)
    }

    /// The byte at the current place; 0 at the end.
    var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    mutating func skipSpace() {
        while place < bytes.count, " \n\r\t".utf8.contains(bytes[place]) { place += 1 }
    }

    /// Returns the names in the object at the current place, and where their values begin.
    mutating func members() -> [(name: String, place: Int)] {
        var members: [(String, Int)] = []
        place += 1
        skipSpace()
        while next == UInt8(ascii: "\"") {
            let key = skipString()
            skipSpace()
            place += 1
            skipSpace()
            members.append((Self.text(of: bytes[key]), place))
            skipToNext()
        }
        return members
    }

    /// Returns where the elements of the array at the current place begin.
    mutating func elements() -> [Int] {
        var elements: [Int] = []
        place += 1
        skipSpace()
        while place < bytes.count, next != UInt8(ascii: "]") {
            elements.append(place)
            skipToNext()
        }
        return elements
    }

    /// Skips a value and the comma that can follow it.
    private mutating func skipToNext() {
        _ = skipValue()
        skipSpace()
        if next == UInt8(ascii: ",") { place += 1 }
        skipSpace()
    }

    /// Skips the value at the current place and returns its range.
    mutating func skipValue() -> Range<Int> {
        let start = place
        var depth = 0
        repeat {
            switch next {
            case UInt8(ascii: "\""): _ = skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                place += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                place += 1
            default: skipWord()
            }
        } while depth > 0 && place < bytes.count
        return start..<place
    }

    /// Skips a number, `true`, `false` or `null`.
    private mutating func skipWord() {
        while place < bytes.count, !",:]} \n\r\t".utf8.contains(bytes[place]) { place += 1 }
    }

    /// Skips the string at the current place and returns its range, including the quotes.
    private mutating func skipString() -> Range<Int> {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return start..<place
    }

    /// Returns the string that a JSON token in quotes represents.
    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? ""
    }
}
