import Foundation

/// A place in a JSON document: names joined by dots, and the numbers of elements, such as `data.repos.0.name`.
///
/// A name that itself has dots is found where the object has it whole.
struct JSONKeyPath {
    private let components: [Substring]

    init(_ text: String) {
        components = text.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// The text of the value at the place in a document whose syntax has been checked, in UTF-8; nil if there is none, or
    /// the root is no object.
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
            // The longest name first, which may have dots; of equal ones the first counts.
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

/// Finds where the values of a document begin and end; the syntax has been checked before.
private struct JSONScanner {
    private let bytes: [UInt8]
    var place = 0

    init(_ document: Data) {
        bytes = Array(document)
    }

    /// The byte at the place; 0 at the end.
    var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    mutating func skipSpace() {
        while place < bytes.count, " \n\r\t".utf8.contains(bytes[place]) { place += 1 }
    }

    /// The names of the object at the place, and where their values begin.
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

    /// Where the elements of the array at the place begin.
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

    /// Goes behind a value and the comma that may follow.
    private mutating func skipToNext() {
        _ = skipValue()
        skipSpace()
        if next == UInt8(ascii: ",") { place += 1 }
        skipSpace()
    }

    /// Goes behind the value at the place, and returns where it is.
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

    /// Goes behind a number, `true`, `false` or `null`.
    private mutating func skipWord() {
        while place < bytes.count, !",:]} \n\r\t".utf8.contains(bytes[place]) { place += 1 }
    }

    /// Goes behind the text at the place, and returns where it is, with its quotes.
    private mutating func skipString() -> Range<Int> {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        return start..<place
    }

    /// What the text in quotes says.
    private static func text(of quoted: ArraySlice<UInt8>) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? ""
    }
}
