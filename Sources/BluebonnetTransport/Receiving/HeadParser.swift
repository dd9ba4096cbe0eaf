import Foundation
import FoundationNetworking
import Glibc

/// A parser that builds the head of a response from the lines that libcurl passes one by one.
///
/// Interim responses (1xx) are discarded. The parser throws for lines that RFC 9112 does not allow,
/// and for framing that two recipients could interpret differently.
// Not copyable, because a copy would write its fields into the same block.
package struct HeadParser: ~Copyable {
    private enum Stage {
        case statusLine, fields, complete
    }

    /// The meaning of a line.
    package enum Event {
        case statusLine
        /// Another line, before or after the end of the final head.
        case more
        /// The end of the final head.
        case head(Exchange.Head)
    }

    private var stage = Stage.statusLine
    private var statusCode = 0
    /// The fields of the current head.
    ///
    /// The block is created with the first field, because many exchanges can wait for their heads.
    private var block: FieldBlock?
    /// The bytes so far of the head and the trailer, including interim responses.
    package private(set) var receivedSize = 0
    private var interimCount = 0
    private var trailerSize = 0
    private var trailer: TrailerParser?
    private let terms: Exchange.Terms
    private var limits: Exchange.Limits { terms.limits }

    enum Version: String {
        case http10 = "HTTP/1.0"
        case http11 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    /// The version of the last status line, or nil before the first one.
    private(set) var version: Version?

    /// The version of the last status line, or an empty string before the first one.
    package var protocolVersion: String { version?.rawValue ?? "" }

    /// Whether the last status line was of HTTP/2.
    package var isHTTP2: Bool { version == .http2 }

    /// The trailer fields so far, in the order in which they arrived, or nil if there are none.
    package var trailers: [Exchange.Field]? {
        guard let fields = trailer?.fields, !fields.isEmpty else { return nil }
        return fields
    }

    package init(terms: Exchange.Terms) {
        self.terms = terms
    }

    package init(limits: Exchange.Limits) {
        self.init(terms: Exchange.Terms(Exchange.Timeouts(), limits, decodesContent: true))
    }

    /// Takes one line, including its line end.
    package mutating func take(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) -> Event {
        receivedSize += line.count
        // The trailer has its own limit.
        guard stage == .complete || receivedSize <= limits.headSize else {
            throw .headTooLarge(limits.headSize)
        }
        let content = line.withoutLineEnd
        switch stage {
        case .statusLine:
            try takeStatusLine(content)
            return .statusLine
        case .fields where content.isEmpty:
            return try finish()
        case .fields:
            try takeField(content)
            return .more
        case .complete:
            try takeTrailer(content, size: line.count)
            return .more
        }
    }

    private mutating func takeStatusLine(
        _ line: UnsafeRawBufferPointer
    ) throws(Exchange.Failure) {
        // HTTP/1.d SP ddd, or HTTP/2 SP ddd, which libcurl generates, optionally followed by a
        // space and a reason.
        let isHTTP2 = line.hasPrefix("HTTP/2 ")
        let isHTTP11 = line.hasPrefix("HTTP/1.1 ")
        let start = isHTTP2 ? 7 : 9
        let end = start + 3
        guard isHTTP2 || isHTTP11 || line.hasPrefix("HTTP/1.0 "), line.count >= end,
            line.count == end || line[end] == UInt8(ascii: " "),
            let code = Self.number(line[start..<end]), code >= 100
        else {
            throw .malformed(.statusLine, "the response begins with an invalid status line")
        }
        statusCode = code
        version = isHTTP2 ? .http2 : isHTTP11 ? .http11 : .http10
        stage = .fields
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
        var number = 0
        for byte in digits {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    // Inlined, because most lines are fields, and two calls for each of them are measurable.
    @inline(__always)
    private mutating func takeField(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        if line[0].isFieldWhiteSpace { return try unfold(line) }
        let colon = try line.fieldNameLength()
        // Moved out of the property, which avoids counting a second reference.
        let block = block.take() ?? FieldBlock()
        defer { self.block = block }
        guard block.count < limits.fieldCount else {
            throw .tooManyFields(limits.fieldCount)
        }
        let value = try line.fieldValueRange(from: colon + 1)
        block.append(line, nameLength: colon, value: value)
    }

    /// Appends a line that begins with whitespace to the previous field (RFC 9112 section 5.2).
    private func unfold(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) {
        guard let block, let name = block.lastName else {
            throw .foldedFirstField
        }
        switch KnownField(name: name) {
        case .contentLength, .transferEncoding:
            // libcurl uses only the first line to frame the body.
            throw .malformed(.head, "a field that frames the body continues on a second line")
        case .contentEncoding, .setCookie, .connection, .keepAlive, nil: break
        }
        let value = try line.fieldValueRange(from: 0)
        guard !value.isEmpty else { return }
        block.continueLastValue(with: UnsafeRawBufferPointer(rebasing: line[value]))
    }

    private mutating func takeTrailer(
        _ line: UnsafeRawBufferPointer,
        size: Int
    ) throws(Exchange.Failure) {
        trailerSize += size
        guard trailerSize <= limits.trailerSize else {
            throw .trailerTooLarge(limits.trailerSize)
        }
        // The empty line ends the trailer. It can also come without a trailer.
        guard !line.isEmpty else { return }
        let trailer = trailer ?? TrailerParser(maximumCount: limits.trailerFieldCount)
        self.trailer = trailer
        try trailer.take(line)
    }

    private mutating func finish() throws(Exchange.Failure) -> Event {
        guard statusCode >= 200 else {
            try skipInterim()
            return .more
        }
        stage = .complete
        let block = block.take() ?? FieldBlock()
        try checkTransferCodings(of: block)
        let length = try ContentLength.declared(by: block)
        return .head(Exchange.Head(statusCode: statusCode, block: block, declaredLength: length))
    }

    /// Throws if a transfer coding is not the chunked one.
    ///
    /// libcurl would also decompress a body, without a limit and without detecting truncation.
    private func checkTransferCodings(of block: FieldBlock) throws(Exchange.Failure) {
        for value in block.values(of: .transferEncoding) {
            for coding in value.split(separator: ",") {
                let name = coding.trimmed.lowercased()
                guard ["chunked", "identity", ""].contains(name) else {
                    // The name comes from the peer, and quoting escapes control characters.
                    throw .malformed(
                        .head,
                        "the response has the unrequested transfer coding \(name.debugDescription)")
                }
            }
        }
    }

    private mutating func skipInterim() throws(Exchange.Failure) {
        guard statusCode != 101 else {
            throw .malformed(
                .statusLine, "the server switched protocols (101) without being asked to")
        }
        interimCount += 1
        guard interimCount <= limits.interimResponseCount else {
            throw .beyondLimit(
                .interimResponseCount,
                "the server sent more than \(limits.interimResponseCount) interim responses"
            )
        }
        block?.removeAll()
        stage = .statusLine
    }
}

extension Exchange.Failure {
    static let foldedFirstField = malformed(
        .head, "the first header line begins with white space")

    static func malformed(_ part: MalformedPart, _ message: String) -> Self {
        var failure = Self(.badServerResponse, message: message)
        failure.malformedPart = part
        return failure
    }
}

extension UInt8 {
    /// Whether the byte is allowed in a token, such as a field name (RFC 9110 section 5.6.2).
    package var isTokenByte: Bool {
        // Most bytes are letters.
        if (self | 0x20) &- 0x61 < 26 { return true }
        let bits = self < 64 ? tokenBytesBelow64 : tokenBytesFrom64
        return self < 128 && bits &>> UInt64(self) & 1 == 1
    }

    fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    var isFieldWhiteSpace: Bool { self == 0x20 || self == 0x09 }
}

/// The token bytes below 64, where bit n stands for byte n: digits and !#$%&'*+-.
private let tokenBytesBelow64: UInt64 = 0x03FF_6CFA_0000_0000
/// The token bytes from 64 on, where bit n stands for byte n + 64: letters and ^_`|~.
private let tokenBytesFrom64: UInt64 = 0x57FF_FFFF_C7FF_FFFE

extension UnsafeRawBufferPointer {
    /// Returns the length of the field's name in a header line, after which a colon follows.
    @inline(__always)
    func fieldNameLength() throws(Exchange.Failure) -> Int {
        var colon = 0
        while colon < count, self[colon].isTokenByte { colon += 1 }
        guard colon == count || self[colon] == UInt8(ascii: ":") else {
            throw .malformed(
                .head, "a header name contains a character that RFC 9110 does not allow")
        }
        guard colon > 0, colon < count else {
            throw .malformed(.head, "a header line has no name")
        }
        return colon
    }

    /// Returns the range of the value in a header line, without the whitespace around it.
    @inline(__always)
    func fieldValueRange(from first: Int) throws(Exchange.Failure) -> Range<Int> {
        let range = withoutWhiteSpace(around: first..<count)
        let value = UnsafeRawBufferPointer(rebasing: self[range])
        guard !value.holds(0), !value.holds(UInt8(ascii: "\r")) else {
            throw .malformed(.head, "a header value contains a NUL or a bare CR")
        }
        return range
    }

    /// Returns the range of a part without the whitespace before and after it.
    func withoutWhiteSpace(around part: Range<Int>) -> Range<Int> {
        var (start, end) = (part.lowerBound, part.upperBound)
        while start < end, self[start].isFieldWhiteSpace { start += 1 }
        while end > start, self[end - 1].isFieldWhiteSpace { end -= 1 }
        return start..<end
    }

    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
        if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    fileprivate func hasPrefix(_ prefix: StaticString) -> Bool {
        guard let baseAddress, count >= prefix.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    }

    fileprivate func holds(_ byte: UInt8) -> Bool {
        guard let baseAddress else { return false }
        return memchr(baseAddress, Int32(byte), count) != nil
    }
}
