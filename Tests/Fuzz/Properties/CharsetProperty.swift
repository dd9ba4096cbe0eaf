import Foundation

@testable import Bluebonnet

/// The property that text is decoded like a slow reference, or rejected at its first invalid byte.
enum CharsetProperty {
    private static let charsets = [
        "utf-8", "utf-16", "utf-16be", "utf-16le", "iso-8859-1", "us-ascii", "windows-1252",
        "iso-8859-2", "windows-1250", "windows-1251", "windows-1253", "windows-1254",
        "shift_jis", "euc-jp", "\"UTF-8\"", "klingon", "utf-32", "utf-32le", "euc-kr", "big5",
        "gb18030", "koi8-r", "macintosh", "windows-1255",
    ]

    /// Checks an input, which selects a charset and then contains the body.
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let choice = Int(input.byte())
        var type: String?
        var serializer = StringResponseSerializer()
        switch choice {
        case ..<160: type = "text/plain; charset=\(charsets[choice % charsets.count])"
        case ..<200: type = String(decoding: input.piece(before: 0x0A), as: UTF8.self)
        case ..<220: serializer.defaultEncoding = [.utf8, .isoLatin1, .utf16][choice % 3]
        default: break
        }
        let body = Array(input.rest)
        let head = try head(type)
        try checkLabel(head, type)
        try checkExcerpt(of: body, head)
        try checkGivenEncoding(of: body, head)
        if choice < 160 {
            let name = charsets[choice % charsets.count].filter { $0 != "\"" }.lowercased()
            try require(head.charset == name, "wrong charset: \(head.charset ?? "none")")
        }
        let outcome = Result { try serializer.serialize(Data(body), head: head) }
        guard !body.isEmpty else { return try require((try? outcome.get()) == "", "wrong text") }
        try check(outcome, body, encoding(head, serializer, body))
    }

    private static func head(_ type: String?) throws -> ResponseHead {
        guard let url = URL(string: "http://example.test/") else {
            throw FuzzViolation(description: "no URL")
        }
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        return ResponseHead(statusCode: 200, headers: headers, url: url)
    }

    /// Checks that the excerpt of a body is short and contains no control characters.
    private static func checkExcerpt(of body: [UInt8], _ head: ResponseHead) throws {
        let excerpt = BodyExcerpt.text(Data(body), charset: head.charset)
        try require((excerpt == nil) == body.isEmpty, "an excerpt is missing or unexpected")
        let scalars = (excerpt ?? "").unicodeScalars
        try require(scalars.count < 1_500, "a long excerpt")
        try require(
            scalars.allSatisfy { $0.value >= 0x20 && $0.properties.generalCategory != .control },
            "an excerpt with a control character")
        let foundations = head.httpURLResponse
        try require(foundations.statusCode == head.statusCode, "wrong status code")
        let shown = "\(head) \(String(reflecting: head.customMirror.children.count))"
        try require(shown.contains("status 200") && !head.cannotHaveBody, "wrong description")
        try require(head.expectedContentLength == nil, "an unexpected length")
    }

    /// Checks that a given encoding takes precedence over the content type.
    private static func checkGivenEncoding(of body: [UInt8], _ head: ResponseHead) throws {
        let serializer = StringResponseSerializer(encoding: .isoLatin1)
        let text = try serializer.serialize(Data(body), head: head)
        let isWhole = text.unicodeScalars.map(\.value) == body.map(UInt32.init)
        try require(isWhole, "a given encoding is ignored")
    }

    private static func checkLabel(_ head: ResponseHead, _ type: String?) throws {
        try require(head.mimeType?.isEmpty != true, "an empty type")
        let hasParameters = head.mimeType?.utf8.contains(UInt8(ascii: ";")) == true
        try require(!hasParameters, "a type with parameters")
        try require(head.charset == nil || type?.contains("=") == true, "an unexpected charset")
        let patterns = ["*/*", "text/*", "text/plain", "+plain", "*", "application/*+json; a=b"]
        let fits = patterns.map { MediaTypePattern($0).accepts(head.mimeType) }
        try require(fits[0] || !fits[1], "text/* is wider than */*")
        try require(fits[1] || !fits[2], "text/plain is wider than text/*")
    }

    /// Returns the encoding by the documented rules, and the length of the byte order mark.
    private static func encoding(
        _ head: ResponseHead, _ serializer: StringResponseSerializer, _ body: [UInt8]
    ) -> (name: String?, mark: Int) {
        if ["utf-32", "utf32", "utf-32be", "utf-32le"].contains(head.charset) {
            if body.starts(with: [0, 0, 0xFE, 0xFF]) { return ("utf-32", 4) }
            if body.starts(with: [0xFF, 0xFE, 0, 0]) { return ("utf-32le", 4) }
        }
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return ("utf-8", 3) }
        if body.starts(with: [0xFE, 0xFF]) { return ("utf-16be", 2) }
        if body.starts(with: [0xFF, 0xFE]) { return ("utf-16le", 2) }
        if let charset = head.charset { return (charset, 0) }
        switch serializer.defaultEncoding {
        case .utf8?: return ("utf-8", 0)
        case .utf16?: return ("utf-16", 0)
        case .isoLatin1?: return ("iso-8859-1", 0)
        default: return (nil, 0)
        }
    }

    private static func check(
        _ outcome: Result<String, any Error>,
        _ body: [UInt8],
        _ encoding: (name: String?, mark: Int)
    ) throws {
        let text = Array(body.dropFirst(encoding.mark))
        let latin1 = UnicodeReference.Outcome.scalars(text.map { Unicode.Scalar($0) })
        switch encoding.name {
        case "utf-8": try compare(outcome, UnicodeReference.utf8(text), encoding.mark)
        case "utf-16", "utf-16be", "utf-16le":
            let isBig = encoding.name != "utf-16le"
            let reference = UnicodeReference.utf16(text, bigEndian: isBig)
            if case .scalars = reference, !text.count.isMultiple(of: 2) {
                return try require((try? outcome.get()) == nil, "an incomplete unit is accepted")
            }
            try compare(outcome, reference, encoding.mark)
        case "utf-32", "utf-32le":
            let isBig = encoding.name == "utf-32"
            try compare(outcome, UnicodeReference.utf32(text, bigEndian: isBig), encoding.mark)
        case "iso-8859-1": try compare(outcome, latin1, 0)
        case "us-ascii":
            let wrong = text.firstIndex { $0 >= 0x80 }
            try compare(outcome, wrong.map { .invalid($0) } ?? latin1, 0)
        case nil:
            if case .invalid = UnicodeReference.utf8(text) {
                try compare(outcome, latin1, 0)
            } else {
                try compare(outcome, UnicodeReference.utf8(text), 0)
            }
        case let name?:
            guard case .success(let decoded) = outcome else { return }
            try require(TextEncoding.named(name) != nil, "the unknown charset \(name) is accepted")
            try require(!decoded.isEmpty, "the text is missing")
            let isASCII = text.allSatisfy { $0 < 0x5C || ($0 > 0x5C && $0 < 0x7E) }
            try require(!isASCII || Array(decoded.utf8) == text, "wrong text in \(name)")
        }
    }

    private static func compare(
        _ outcome: Result<String, any Error>, _ reference: UnicodeReference.Outcome, _ mark: Int
    ) throws {
        switch (outcome, reference) {
        case (.success(let text), .scalars(let scalars)):
            try require(Array(text.unicodeScalars) == scalars, "wrong text")
        case (.failure(let error), .invalid(let offset)):
            let words = (error as? ResponseSerializationError)?.reason ?? ""
            try require(words.hasSuffix("at byte \(offset + mark)"), "not at \(offset): \(words)")
        case (.success, .invalid(let offset)):
            throw FuzzViolation(description: "the invalid byte \(offset) was accepted")
        case (.failure(let error), .scalars):
            throw FuzzViolation(description: "valid text was rejected: \(error)")
        }
    }
}
