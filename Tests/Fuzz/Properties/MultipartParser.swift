/// A strict parser for multipart bodies (RFC 2046), which accepts no preamble and no epilogue.
enum MultipartParser {
    struct Part: Equatable {
        var fields: [[UInt8]]
        var content: [UInt8]
    }

    static func parts(
        of body: [UInt8], between boundary: [UInt8]
    ) throws(FuzzViolation) -> [Part] {
        guard !body.isEmpty else { return [] }
        let delimiter = Array("\r\n--".utf8) + boundary
        // The first delimiter has no line end before it, so one is added.
        var rest = (Array("\r\n".utf8) + body)[...]
        try require(rest.starts(with: delimiter), "the body does not begin with its boundary")
        rest = rest.dropFirst(delimiter.count)
        var parts: [Part] = []
        while rest.starts(with: Array("\r\n".utf8)) {
            rest = rest.dropFirst(2)
            guard let end = rest.firstRange(of: delimiter) else {
                throw FuzzViolation(description: "part \(parts.count + 1) has no end")
            }
            parts.append(try part(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        try require(Array(rest) == Array("--\r\n".utf8), "wrong end of the body: \(rest)")
        return parts
    }

    private static func part(_ bytes: ArraySlice<UInt8>) throws(FuzzViolation) -> Part {
        var fields: [[UInt8]] = []
        var rest = bytes
        while true {
            guard let end = rest.firstRange(of: Array("\r\n".utf8)) else {
                throw FuzzViolation(description: "a part's fields have no end")
            }
            let line = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            if line.isEmpty { return Part(fields: fields, content: Array(rest)) }
            fields.append(Array(line))
        }
    }
}
