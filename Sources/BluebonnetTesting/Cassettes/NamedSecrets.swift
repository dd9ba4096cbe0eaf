import Bluebonnet

/// Finds what is secret by the name before it, or by its place in a URL.
struct NamedSecrets {
    struct Secret {
        let range: Range<Int>
        let value: String
    }

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool
    private var found: [Secret] = []

    private init(_ bytes: [UInt8], _ isSecret: @escaping (String) -> Bool) {
        self.bytes = bytes
        self.isSecret = isSecret
    }

    /// The secrets in a URL, in a text with URLs, or in a form.
    static func all(
        in bytes: [UInt8], isForm: Bool = false, where isSecret: @escaping (String) -> Bool
    ) -> [Secret] {
        var search = Self(bytes, isSecret)
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

    /// Goes to the end of `name=value` if that begins here.
    private mutating func takeItem(at start: Int) -> Int {
        let name = bytes[start...].prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                || "-_.~%[]+".utf8.contains(byte)
        }
        guard !name.isEmpty, name.endIndex < bytes.count,
            bytes[name.endIndex] == UInt8(ascii: "=")
        else { return start }
        let value = bytes[(name.endIndex + 1)...].prefix { byte in
            byte > 0x20 && !"&;#\"'<>,\\".utf8.contains(byte)
        }
        if !value.isEmpty, isSecret(decoded(name)) { add(value) }
        return value.endIndex
    }

    /// Goes behind the user and the password of an authority that begins here.
    private mutating func takeLogin(at start: Int) -> Int {
        let authority = bytes[start...].prefix { $0 > 0x20 && !"/?#\"'<>,\\".utf8.contains($0) }
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
