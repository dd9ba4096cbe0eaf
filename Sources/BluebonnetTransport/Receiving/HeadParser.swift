import Foundation
import FoundationNetworking

/// Builds the head of a response from the lines that libcurl hands over one by one.
///
/// Interim responses (1xx) are dropped. A line that RFC 9112 does not allow, and framing on which
/// two readers could disagree, are failures.
package struct HeadParser {
    private enum Stage {
        case statusLine, fields, complete
    }

    private var stage = Stage.statusLine
    private var statusCode = 0
    private var bytes: [UInt8] = []
    private var spans: [FieldBlock.Span] = []
    private var receivedSize = 0
    private var interimCount = 0
    private var trailerCount = 0
    private let limits: Exchange.Limits

    /// The version of the last status line, such as `HTTP/1.1`.
    package private(set) var protocolVersion = ""

    /// More interim responses than this are a failure.
    package static let maximumInterimResponses = 16

    package init(limits: Exchange.Limits) {
        self.limits = limits
    }

    /// Takes one line, its line end included; returns the head when this line was its last.
    package mutating func take(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) -> Exchange.Head? {
        receivedSize += line.count
        guard receivedSize <= limits.headSize else {
            throw .malformed("the response's head is larger than \(limits.headSize) bytes")
        }
        let content = line.withoutLineEnd
        switch stage {
        case .statusLine:
            try takeStatusLine(content)
            return nil
        case .fields where content.isEmpty:
            return try finish()
        case .fields:
            try takeField(content)
            return nil
        case .complete:
            try takeTrailer(content)
            return nil
        }
    }

    private mutating func takeStatusLine(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count >= 2, parts[0].starts(with: "HTTP/".utf8), parts[1].count == 3,
            let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code)
        else {
            throw .malformed("the response begins with an invalid status line")
        }
        statusCode = code
        protocolVersion = String(decoding: parts[0], as: UTF8.self)
        bytes.reserveCapacity(512)
        spans.reserveCapacity(16)
        stage = .fields
    }

    private mutating func takeField(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
            return try unfold(line)
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            throw .malformed("a header line has no name")
        }
        let name = line[..<colon]
        guard name.allSatisfy(\.isTokenByte) else {
            throw .malformed("a header name holds a character that RFC 9110 does not allow")
        }
        guard spans.count < limits.fieldCount else {
            throw .malformed("the response has more than \(limits.fieldCount) header fields")
        }
        let value = try fieldValue(line[(colon + 1)...])
        spans.append(FieldBlock.Span(name: append(name), value: append(value)))
    }

    /// A line that begins with white space continues the field before it (RFC 9112 section 5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        guard let last = spans.indices.last else {
            throw .malformed("the first header line begins with white space")
        }
        let value = try fieldValue(line[...])
        bytes.append(UInt8(ascii: " "))
        let start = spans[last].value.lowerBound
        spans[last].value = start..<append(value).upperBound
    }

    private func fieldValue(
        _ part: Slice<UnsafeRawBufferPointer>
    ) throws(Exchange.Failure) -> Slice<UnsafeRawBufferPointer> {
        let value = part.withoutSurroundingWhiteSpace
        guard !value.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            throw .malformed("a header value holds a NUL or a bare CR")
        }
        return value
    }

    private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) -> Range<UInt32> {
        let start = UInt32(bytes.count)
        bytes.append(contentsOf: part)
        return start..<UInt32(bytes.count)
    }

    private mutating func takeTrailer(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) {
        trailerCount += line.isEmpty ? 0 : 1
        guard trailerCount <= limits.fieldCount else {
            throw .malformed("the response has more than \(limits.fieldCount) trailer fields")
        }
    }

    private mutating func finish() throws(Exchange.Failure) -> Exchange.Head? {
        let block = FieldBlock(bytes: bytes, spans: spans)
        guard statusCode >= 200 else {
            try skipInterim()
            return nil
        }
        _ = try ContentLength.declared(by: block)
        stage = .complete
        return Exchange.Head(statusCode: statusCode, block: block)
    }

    private mutating func skipInterim() throws(Exchange.Failure) {
        guard statusCode != 101 else {
            throw .malformed("the server switched protocols (101) without being asked to")
        }
        interimCount += 1
        guard interimCount <= Self.maximumInterimResponses else {
            throw .malformed("more than \(Self.maximumInterimResponses) interim responses came")
        }
        bytes.removeAll(keepingCapacity: true)
        spans.removeAll(keepingCapacity: true)
        stage = .statusLine
    }
}

/// The length that a head declares for the body.
package enum ContentLength {
    /// Nil where none is declared; a failure where it is no number, or several differ.
    package static func declared(by block: FieldBlock) throws(Exchange.Failure) -> Int? {
        var result: Int?
        for value in block.values(of: "Content-Length") {
            for part in value.split(separator: ",", omittingEmptySubsequences: false) {
                let digits = part.trimmingCharacters(in: .whitespaces)
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let length = Int(digits)
                else {
                    throw .malformed("the Content-Length \"\(value)\" is not a length")
                }
                guard result == nil || result == length else {
                    throw .malformed("the response declares several lengths: \(value)")
                }
                result = length
            }
        }
        return result
    }
}

extension Exchange.Failure {
    static func malformed(_ message: String) -> Self {
        Self(.badServerResponse, message: message)
    }
}

extension UInt8 {
    /// Whether it may stand in a token, such as a method or a field name (RFC 9110 section 5.6.2).
    package var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var withoutSurroundingWhiteSpace: Self {
        var part = self
        while let first = part.first, first == 0x20 || first == 0x09 { part.removeFirst() }
        while let last = part.last, last == 0x20 || last == 0x09 { part.removeLast() }
        return part
    }
}
