/// A search for secrets by the name before them, or by their place in a URL.
///
/// It takes linear time for any text.
struct NamedSecrets {
    private let bytes: [UInt8]
    private let redactor: Redactor
    private let isForm: Bool
    /// The number of URLs that enclose this one.
    private let depth: Int
    private var found: [Redactor.Finding] = []
    /// The end of the last value, which is also the end of every value that begins within it.
    private var valueEnd = 0
    /// The end of the last name of a JSON member that was longer than ``longestName``.
    private var longNameEnd = 0
    /// The maximum ``depth``.
    private static let largestDepth = 3
    /// The length of a JSON member's name in bytes from which it is read only once, for names can
    /// begin at any quotation mark.
    private static let longestName = 256

    private init(_ bytes: [UInt8], _ redactor: Redactor, isForm: Bool, depth: Int) {
        self.bytes = bytes
        self.redactor = redactor
        self.isForm = isForm
        self.depth = depth
    }

    static func all(
        in bytes: [UInt8], as syntax: Redactor.Syntax, by redactor: Redactor, depth: Int = 0
    ) -> [Redactor.Finding] {
        var found: [Redactor.Finding] = []
        for (part, isForm) in [(Redactor.Syntax.text, false), (.form, true)]
        where syntax.contains(part) {
            var search = Self(bytes, redactor, isForm: isForm, depth: depth)
            search.takeItems()
            if !isForm { search.takeMembers() }
            found += search.found
        }
        return found
    }

    // MARK: Items of queries and forms

    private mutating func takeItems() {
        var place = isForm ? takeItem(at: 0) : 0
        let marks = isForm ? "&;" : "?&;#"
        while place < bytes.count {
            if marks.utf8.contains(bytes[place]) {
                place = takeItem(at: place + 1)
            } else if !isForm, bytes[place] == UInt8(ascii: ":"),
                bytes[place...].starts(with: "://".utf8)
            {
                place = takeLogin(at: place + 3)
            } else {
                place += 1
            }
        }
    }

    /// Reads a `name=value` that begins at an index, and returns where the search continues.
    private mutating func takeItem(at start: Int) -> Int {
        let name = bytes[start...].prefix { isForm ? !"=&;".utf8.contains($0) : $0.isInName }
        guard !name.isEmpty, name.endIndex < bytes.count,
            bytes[name.endIndex] == UInt8(ascii: "=")
        else { return start }
        let valueStart = name.endIndex + 1
        let isNested = valueStart < valueEnd
        let value = isNested ? bytes[valueStart..<valueEnd] : text(from: valueStart, until: "&;#")
        valueEnd = value.endIndex
        let plainName = UnescapedText(name, marks: "%").text
        guard redactor.isSecret(plainName) else {
            // It can contain a URL with secrets. A nested value was searched with its outer value.
            if !isNested, value.contains(UInt8(ascii: "%")) { takeEscaped(value) }
            return valueStart
        }
        let whole = isNested ? value : withSemicolons(value)
        valueEnd = whole.endIndex
        add(whole, named: plainName, marks: "%")
        return whole.endIndex
    }

    /// Returns a secret value with its own semicolons, up to the next item with a name and a value.
    private func withSemicolons(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = value.endIndex
        while end < bytes.count, bytes[end] == UInt8(ascii: ";") {
            let piece = text(from: end + 1, until: "&;#")
            let behindName = piece.drop { $0 != UInt8(ascii: "=") }
            // Base64 can end in equals signs too. In text, a semicolon can end a sentence.
            guard isForm || !piece.isEmpty,
                behindName.allSatisfy({ $0 == UInt8(ascii: "=") })
            else { break }
            end = piece.endIndex
        }
        return bytes[value.startIndex..<end]
    }

    /// Searches a percent-encoded value.
    private mutating func takeEscaped(_ value: ArraySlice<UInt8>) {
        guard depth < Self.largestDepth else { return }
        let text = UnescapedText(value, marks: "%")
        found += Self.all(in: text.bytes, as: .text, by: redactor, depth: depth + 1).map {
            var finding = $0
            finding.range = text.place(of: $0.range)
            finding.isUnquoted = false
            return finding
        }
    }

    /// Reads the user and password of an authority, and returns where the search continues.
    private mutating func takeLogin(at start: Int) -> Int {
        let authority = text(from: start, until: "/?#")
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")), end > start else {
            return start
        }
        add(bytes[start..<end], named: nil, marks: "%")
        return end
    }

    /// Returns the part of a form or of a URL from an index to one of the marks, or to its end.
    private func text(from start: Int, until marks: String) -> ArraySlice<UInt8> {
        if isForm { return bytes[start...].prefix { !"&;".utf8.contains($0) } }
        var place = start
        while place < bytes.count, bytes[place] > 0x20,
            !"\"<>\\".utf8.contains(bytes[place]), !marks.utf8.contains(bytes[place])
        {
            let next = bytes[place...].firstIndex { !",'".utf8.contains($0) } ?? bytes.count
            // At the end of a URL, they belong to the sentence around it.
            if next > place, next == bytes.count || !bytes[next].isInURL { break }
            place = max(next, place + 1)
        }
        return bytes[start..<place]
    }

    // MARK: Members of JSON

    private mutating func takeMembers() {
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) {
            place = takeMember(at: start)
        }
    }

    /// Reads a `"name": value` that begins at an index, and returns where the search continues.
    private mutating func takeMember(at start: Int) -> Int {
        var name = quoted(start, upTo: Self.longestName)
        if name.count + 2 > Self.longestName, start >= longNameEnd {
            name = quoted(start)
            longNameEnd = name.endIndex
        }
        let colon = skipSpace(name.endIndex + 1)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return start + 1 }
        let place = skipSpace(colon + 1)
        let plainName = UnescapedText(name, marks: "\\").text
        guard place < bytes.count, redactor.isSecretMember(plainName) else { return place }
        if bytes[place] == UInt8(ascii: "\"") {
            let value = quoted(place)
            add(value, named: plainName, marks: "\\")
            return min(value.endIndex + 1, bytes.count)
        }
        if redactor.keepsJSON { return place }
        let value = bytes[place..<endOfValue(at: place)]
        add(value, named: plainName, marks: "", isUnquoted: true)
        return value.endIndex
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

    /// Returns the end of a value without quotes, or the end of the text if it is cut.
    private func endOfValue(at start: Int) -> Int {
        var (place, depth) = (start, 0)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place = min(quoted(place).endIndex, bytes.count - 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return place }
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: ",") where depth == 0: return place
            default: break
            }
            place += 1
        }
        return bytes.count
    }

    private mutating func add(
        _ value: ArraySlice<UInt8>, named name: String?, marks: String, isUnquoted: Bool = false
    ) {
        guard !value.isEmpty else { return }
        found.append(
            .init(
                range: value.startIndex..<value.endIndex,
                value: UnescapedText(value, marks: marks).text, name: name,
                isUnquoted: isUnquoted))
    }
}

extension UInt8 {
    /// Whether the byte can be in the name of a query item.
    fileprivate var isInName: Bool {
        self < 0x80 && (isLetterOrDigit || "-_.~%[]+".utf8.contains(self))
    }
    fileprivate var isInURL: Bool { self > 0x20 && !"\"<>\\,'".utf8.contains(self) }
}
