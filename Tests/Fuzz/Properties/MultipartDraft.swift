import Foundation

@testable import Bluebonnet

/// A form, with the parts that its body must contain.
struct MultipartDraft {
    struct Part {
        var fields: [[UInt8]]
        var content: [UInt8]
        /// Whether the library searches the content for the boundary.
        var isSearched = true
    }

    private(set) var form = MultipartFormData()
    private(set) var parts: [Part] = []
    /// The number of the first part that cannot be read as it was announced.
    private(set) var firstFaulty: Int?
    /// Whether a file has changed since it was added.
    private(set) var hasChangedFile = false
    /// Whether the body has more bytes than can be counted.
    private(set) var isEndless = false
    private var files: [URL] = []
    private let seed: UInt64

    init(_ input: inout FuzzInput, seed: UInt64) throws {
        self.seed = seed
        // Reading ignores the throttling.
        form.throttleBandwidth(packetSize: Int(seed & 7), delay: .seconds(Int64(seed >> 60)))
        if seed & 32 != 0 { try form.setBoundary("given-\(seed)") }
        while !input.isEmpty, parts.count < 8 {
            switch input.byte() % 6 {
            case 0: try addField(&input)
            case 1: try addFileData(&input)
            case 2: try addHeaders(&input)
            case 3: try addStream(&input)
            case 4: try addFile(&input)
            default: try addParameters(&input)
            }
        }
    }

    func removeFiles() {
        for file in files { unlink(file.path) }
    }

    // MARK: Kinds of parts

    private mutating func addField(_ input: inout FuzzInput) throws {
        let (name, content) = (input.text(), content(&input))
        guard seed & 16 != 0 else {
            form.appendPart(formData: Data(content), name: name)
            return parts.append(Part(fields: [disposition(name)], content: content))
        }
        let type = input.bool() ? "text/x" : input.text()
        let fields = [disposition(name), Array("Content-Type: \(type)".utf8)]
        try append(Self.isValue(type), Part(fields: fields, content: content)) {
            form throws(MultipartFailure) in
            try form.appendPart(formData: Data(content), name: name, mimeType: type)
        }
    }

    private mutating func addFileData(_ input: inout FuzzInput) throws {
        let names = (input.text(), fileName(&input))
        let type = input.bool() ? input.text() : nil
        let content = content(&input)
        try append(names, type, content, isSearched: true) { form throws(MultipartFailure) in
            try form.appendPart(
                fileData: Data(content), name: names.0, fileName: names.1, mimeType: type)
        }
    }

    private mutating func addHeaders(_ input: inout FuzzInput) throws {
        let fields = (0...input.byte() % 3).map { _ in
            HTTPHeaders.Field(
                name: String(decoding: input.piece(before: 0x3A), as: UTF8.self),
                value: input.text())
        }
        let content = content(&input)
        let isGood = fields.allSatisfy { Self.isName($0.name) && Self.isValue($0.value) }
        let lines = fields.map { Array("\($0.name): \($0.value)".utf8) }
        try append(isGood, Part(fields: lines, content: content)) {
            form throws(MultipartFailure) in
            try form.appendPart(headers: HTTPHeaders(fields), body: Data(content))
        }
    }

    /// The relation between a stream and its announced length.
    private enum StreamKind: CaseIterable {
        case exact, short, long, endless, missing, opened
    }

    private mutating func addStream(_ input: inout FuzzInput) throws {
        let names = (input.text(), fileName(&input))
        let content = content(&input)
        let kind = input.choice([.exact] + StreamKind.allCases)
        let length: Int64 =
            switch kind {
            case .endless: .max
            case .short: Int64(content.count) + 1
            case .long: Int64(content.count) - 1
            default: Int64(content.count)
            }
        let count = parts.count
        try append(names, nil, content, isGood: length >= 0) { form throws(MultipartFailure) in
            try form.appendPart(length: length, name: names.0, fileName: names.1) {
                if kind == .missing { throw CancellationError() }
                let stream = InputStream(data: Data(content))
                if kind == .opened { stream.open() }
                return stream
            }
        }
        guard parts.count > count else { return }
        // The longest possible stream and the head before it are too long together.
        isEndless = isEndless || kind == .endless
        if kind != .exact { firstFaulty = firstFaulty ?? parts.count }
    }

    private mutating func addFile(_ input: inout FuzzInput) throws {
        let name = input.text()
        let fileName = input.bool() ? fileName(&input) : nil
        let content = content(&input)
        let change = input.byte() % 6
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-fuzz-\(UUID().uuidString).png")
        files.append(file)
        if change != 4 { try Data(content).write(to: file) }
        let named = change == 5 ? file.deletingLastPathComponent() : file
        let names = (name, fileName ?? file.lastPathComponent)
        try append(names, nil, content, isGood: change < 4) { form throws(MultipartFailure) in
            try form.appendPart(fileURL: named, name: name, fileName: fileName)
        }
        switch change {
        case 1: try Data(content + [0]).write(to: file)
        case 2 where !content.isEmpty: truncate(file.path, 0)
        case 3: unlink(file.path)
        default: return
        }
        firstFaulty = firstFaulty ?? parts.count
        hasChangedFile = true
    }

    /// Adds only one parameter, because the order of parameters is a property of queries.
    private mutating func addParameters(_ input: inout FuzzInput) throws {
        let name = input.text()
        var encoding = QueryEncoding()
        let value: (any Sendable, [UInt8])
        switch input.byte() % 7 {
        case 0: value = (true, Array("1".utf8))
        case 1: value = (-7, Array("-7".utf8))
        case 2:
            let content = content(&input)
            value = (Data(content), content)
        case 3:
            encoding.booleans = .literal
            value = (false, Array("false".utf8))
        case 4:
            encoding.nulls = .null
            value = (NSNull(), Array("null".utf8))
        case 5:
            let text = input.text()
            value = (text, Array(text.utf8))
            try form.appendParts(parameters: [name: text], encoding: encoding)
            parts.append(Part(fields: [disposition(name)], content: value.1))
        default:
            value = ("encoded", Array("encoded".utf8))
            try form.appendParts(parameters: Encoded(name: name, value: "first"))
            try form.appendParts(parameters: Encoded?.none)
            parts.append(Part(fields: [disposition(name)], content: Array("first".utf8)))
        }
        try form.appendParts(parameters: [name: value.0] as Parameters, encoding: encoding)
        parts.append(Part(fields: [disposition(name)], content: value.1))
    }

    /// A value that encodes a dictionary with one pair.
    private struct Encoded: Encodable {
        var name: String
        var value: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode([name: value])
        }
    }

    // MARK: Appending

    private mutating func append(
        _ names: (String, String), _ type: String?, _ content: [UInt8], isSearched: Bool = false,
        isGood: Bool = true,
        _ body: (inout MultipartFormData) throws(MultipartFailure) -> Void
    ) throws {
        let shown = type ?? MIMEType.ofFile(named: names.1)
        let fields = [
            disposition(names.0) + Array("; filename=".utf8) + quoted(names.1),
            Array("Content-Type: \(shown)".utf8),
        ]
        let part = Part(fields: fields, content: content, isSearched: isSearched)
        try append(isGood && Self.isValue(shown), part, body)
    }

    private mutating func append(
        _ isGood: Bool, _ part: Part,
        _ body: (inout MultipartFormData) throws(MultipartFailure) -> Void
    ) throws {
        do {
            try body(&form)
            try require(isGood, "an invalid part was appended: \(part)")
            parts.append(part)
        } catch let failure as MultipartFailure {
            try require(!isGood, "rejected: \(failure)")
            try require(
                failure.partNumber == parts.count + 1, "the wrong part is named: \(failure)")
        }
    }

    private func content(_ input: inout FuzzInput) -> [UInt8] {
        switch input.byte() % 4 {
        case 0: return input.bytes()
        case 1: return Array(repeatElement(input.byte(), count: Int(input.byte()) * 16))
        case 2: return input.bytes() + Array("\r\n--Boundary+".utf8) + input.bytes()
        default:
            // Contains one of the first boundaries that can be generated.
            let digits = String(seed &+ UInt64(input.byte() % 3), radix: 16, uppercase: true)
            let number = String(repeating: "0", count: 16 - digits.count) + digits
            return Array("\r\n--Boundary+\(number)--\r\n".utf8)
        }
    }

    private func fileName(_ input: inout FuzzInput) -> String {
        input.text() + input.choice(["", ".png", ".TXT", ".tar.gz", ".", ".\u{130}"])
    }

    private func disposition(_ name: String) -> [UInt8] {
        Array("Content-Disposition: form-data; name=".utf8) + quoted(name)
    }

    private func quoted(_ text: String) -> [UInt8] {
        let inside = text.utf8.flatMap { byte -> [UInt8] in
            let isEscaped = byte == 0x22 || byte == 0x7F || byte < 0x20 && byte != 0x09
            return isEscaped ? Array(String(format: "%%%02X", byte).utf8) : [byte]
        }
        return [0x22] + inside + [0x22]
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                let other = Array("!#$%&'*+-.^_`|~0123456789".utf8)
                return other.contains(byte) || (0x61...0x7A).contains(byte | 0x20) && byte < 0x7B
            }
    }

    private static func isValue(_ text: String) -> Bool {
        !text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }
}
