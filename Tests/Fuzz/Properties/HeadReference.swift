/// A slow reader for the lines of an accepted head, which works in a different way from the parser.
struct HeadReference {
    private(set) var statusCode = 0
    private(set) var fields: [(name: [UInt8], value: [UInt8])] = []

    init(_ lines: [[UInt8]]) throws(FuzzViolation) {
        var isInHead = false
        for line in lines {
            var line = line
            if line.last == 0x0A { line.removeLast() }
            if line.last == 0x0D { line.removeLast() }
            if !isInHead {
                try readStatus(line)
                isInHead = true
            } else if line.isEmpty {
                if statusCode >= 200 { return }
                isInHead = false
            } else {
                try readField(line)
            }
        }
        throw FuzzViolation(description: "a head without an end")
    }

    private mutating func readStatus(_ line: [UInt8]) throws(FuzzViolation) {
        let parts = line.split(
            separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        let code = parts.count > 1 ? Int(Self.text(Array(parts[1]))) : nil
        try require(
            parts.count > 1 && parts[0].starts(with: Array("HTTP/".utf8)) && parts[1].count == 3,
            "an invalid status line: \(line)"
        )
        guard let code, code >= 100, code != 101 else {
            throw FuzzViolation(description: "an invalid status code: \(line)")
        }
        statusCode = code
        fields = []
    }

    private mutating func readField(_ line: [UInt8]) throws(FuzzViolation) {
        if line[0] == 0x20 || line[0] == 0x09 {
            guard var last = fields.popLast() else {
                throw FuzzViolation(description: "the first field is a continuation")
            }
            let more = Self.trimmed(line)
            if !more.isEmpty {
                last.value += (last.value.isEmpty ? [] : [0x20]) + more
            }
            fields.append(last)
        } else {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw FuzzViolation(description: "a field without a colon: \(line)")
            }
            fields.append((Array(line[..<colon]), Self.trimmed(Array(line[(colon + 1)...]))))
        }
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
        return bytes
    }

    static func isToken(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Returns text from UTF-8 or, if the bytes are invalid, from ISO-8859-1.
    static func text(_ bytes: [UInt8]) -> String {
        if case .scalars(let scalars) = UnicodeReference.utf8(bytes) {
            return String(String.UnicodeScalarView(scalars))
        }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private func values(named name: String) -> [String] {
        fields.filter { Self.text($0.name).lowercased() == name.lowercased() }
            .map { Self.text($0.value) }
    }

    func first(named name: String) throws(FuzzViolation) -> String {
        guard let value = values(named: name).first else {
            throw FuzzViolation(description: "no field \(name)")
        }
        return value
    }

    /// The length on which all fields agree, or nil without a field.
    ///
    /// If the fields disagree, it is -1, which differs from the length of every head.
    var length: Int? {
        let texts = values(named: "content-length").flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        guard !texts.isEmpty else { return nil }
        let numbers = Set(
            texts.map { text in
                let digits = Self.trimmed(Array(text.utf8))
                let isNumber = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
                return isNumber ? Int(String(decoding: digits, as: UTF8.self)) ?? -1 : -1
            })
        return numbers.count == 1 ? numbers.first : -1
    }

    var persistence: PersistenceReference {
        PersistenceReference(
            connection: values(named: "connection"), keepAlive: values(named: "keep-alive"))
    }

    var hasKnownFraming: Bool {
        values(named: "transfer-encoding").flatMap { $0.split(separator: ",") }.allSatisfy {
            ["chunked", "identity", ""].contains(
                String(decoding: Self.trimmed(Array($0.utf8)), as: UTF8.self).lowercased())
        }
    }
}
