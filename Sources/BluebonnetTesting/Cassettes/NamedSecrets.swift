import Bluebonnet

/// Finds secrets by the name before them, or by their place in a URL.
struct NamedSecrets {
    struct Secret {
        /// The range of the secret; nil if it is in a percent-encoded URL within an item.
        let range: Range<Int>?
        let value: String
    }

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool
    private var found: [Secret] = []
    /// The number of URLs that enclose this one.
    private let depth: Int
    /// The end of the last value, which is also the end of every value that begins within it.
    private var valueEnd = 0
    /// The maximum ``depth``, so that hostile text is searched in linear time.
    private static let largestDepth = 3
    /// The maximum length of a JSON member's name in bytes, so that text full of escaped quotation
    /// marks is searched in linear time.
    private static let longestName = 256

    private init(_ bytes: [UInt8], _ isSecret: @escaping (String) -> Bool, depth: Int = 0) {
        self.bytes = bytes
        self.isSecret = isSecret
        self.depth = depth
    }

    /// Returns the secrets in a URL, in a text with URLs, or in a form.
    static func all(
        in bytes: [UInt8], isForm: Bool = false, depth: Int = 0,
        where isSecret: @escaping (String) -> Bool
    ) -> [Secret] {
        var search = Self(bytes, isSecret, depth: depth)
        var place = isForm ? search.takeItem(at: 0) : 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"):
                place = search.takeItem(at: place + 1)
            case UInt8(ascii: ":") where bytes[place...].starts(with: "://".utf8):
                place = search.takeLogin(at: place + 3)
            default: place += 1
            }
        }
        return search.found
    }

    /// Returns the secrets in a text with JSON, which can be truncated or embedded in other text.
    static func members(
        in bytes: [UInt8], where isSecret: @escaping (String) -> Bool
    ) -> [Secret] {
        var search = Self(bytes, isSecret)
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) {
            place = search.takeMember(at: start)
        }
        return search.found
    }

    /// Reads a `"name": "value"` that begins at an index, and returns where the search continues.
    private mutating func takeMember(at start: Int) -> Int {
        let name = quoted(start, upTo: Self.longestName)
        var place = skipSpace(name.endIndex + 1)
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return start + 1 }
        place = skipSpace(place + 1)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\""), isSecret(unescaped(name))
        else { return min(place, bytes.count) }
        let value = quoted(place)
        if !value.isEmpty {
            found.append(
                Secret(range: value.startIndex..<value.endIndex, value: unescaped(value)))
        }
        return min(value.endIndex + 1, bytes.count)
    }

    /// Returns the bytes between a quotation mark and the next one, or the end.
    private func quoted(_ start: Int, upTo count: Int = .max) -> ArraySlice<UInt8> {
        var place = start + 1
        while place < bytes.count, place - start < count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes[start + 1..<min(place, bytes.count)]
    }

    private func skipSpace(_ start: Int) -> Int {
        bytes.dropFirst(start).firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
    }

    private func unescaped(_ text: ArraySlice<UInt8>) -> String {
        JSONString(token: "\"\(String(decoding: text, as: UTF8.self))\"").text
    }

    /// Reads a `name=value` that begins at an index, and returns where the search continues.
    private mutating func takeItem(at start: Int) -> Int {
        let name = bytes[start...].prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                || "-_.~%[]+".utf8.contains(byte)
        }
        guard !name.isEmpty, name.endIndex < bytes.count,
            bytes[name.endIndex] == UInt8(ascii: "=")
        else { return start }
        let valueStart = name.endIndex + 1
        let isNested = valueStart < valueEnd
        let value =
            isNested ? bytes[valueStart..<valueEnd] : text(from: valueStart, until: "&;#")
        valueEnd = value.endIndex
        guard isSecret(decoded(name)) else {
            // It can contain a URL with secrets. A nested value was searched with its outer value.
            if !isNested, value.contains(UInt8(ascii: "%")) { addNested(in: value) }
            return valueStart
        }
        let whole = isNested ? value : withSemicolons(value)
        valueEnd = whole.endIndex
        if !whole.isEmpty { add(whole) }
        return whole.endIndex
    }

    /// Returns a secret value with its own semicolons, up to the next item with a name and a value.
    private func withSemicolons(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = value.endIndex
        while end < bytes.count, bytes[end] == UInt8(ascii: ";") {
            let piece = text(from: end + 1, until: "&;#")
            let behindName = piece.drop { $0 != UInt8(ascii: "=") }
            // Base64 can end in equals signs too.
            guard !piece.isEmpty, behindName.allSatisfy({ $0 == UInt8(ascii: "=") }) else { break }
            end = piece.endIndex
        }
        return bytes[value.startIndex..<end]
    }

    private mutating func addNested(in value: ArraySlice<UInt8>) {
        guard depth < Self.largestDepth else { return }
        let nested = Self.all(
            in: Array(decoded(value).utf8), depth: depth + 1, where: isSecret)
        found += nested.map { Secret(range: nil, value: $0.value) }
    }

    /// Returns the part of a URL from an index to one of the marks, or to the end of the URL.
    private func text(from start: Int, until marks: String) -> ArraySlice<UInt8> {
        var place = start
        while place < bytes.count, bytes[place] > 0x20,
            !"\"<>\\".utf8.contains(bytes[place]), !marks.utf8.contains(bytes[place])
        {
            let isPunctuation = ",'".utf8.contains(bytes[place])
            let isLast = place + 1 == bytes.count || !bytes[place + 1].isInURL
            // At the end of a URL, they belong to the sentence around it.
            if isPunctuation, isLast { break }
            place += 1
        }
        return bytes[start..<place]
    }

    /// Reads the user and password of an authority, and returns where the search continues.
    private mutating func takeLogin(at start: Int) -> Int {
        let authority = text(from: start, until: "/?#")
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")), end > start else {
            return start
        }
        add(bytes[start..<end])
        return end
    }

    private mutating func add(_ value: ArraySlice<UInt8>) {
        found.append(Secret(range: value.startIndex..<value.endIndex, value: decoded(value)))
    }

    private func decoded(_ text: ArraySlice<UInt8>) -> String {
        let text = String(decoding: text, as: UTF8.self)
        return text.removingPercentEncoding ?? text
    }
}

extension UInt8 {
    fileprivate var isInURL: Bool { self > 0x20 && !"\"<>\\,'".utf8.contains(self) }
}
