/// The status code and the reason with which the server rejects a request.
struct RequestRejection: Error {
    let status: Int
    let reason: String
}

/// A strict parser for request heads (RFC 9112).
///
/// The server must reveal faults in clients. It therefore accepts nothing that the grammar forbids,
/// even if production servers tolerate it, such as bare line feeds.
enum RequestHeadParser {
    static func parse(_ bytes: [UInt8]) throws(RequestRejection) -> RequestHead {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for index in lines.indices.dropLast() {
            guard lines[index].popLast() == UInt8(ascii: "\r") else {
                throw rejection("line not ended by CR LF")
            }
        }
        guard let requestLine = lines.first else { throw rejection("no request line") }
        let parts = requestLine.split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), isVisible(parts[1]) else {
            throw rejection("request line")
        }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            let isHTTP = version.hasPrefix("HTTP/")
            throw RequestRejection(status: isHTTP ? 505 : 400, reason: "protocol version")
        }
        var headers = FixtureHeaders()
        for line in lines.dropFirst() {
            let field = try parseField(line)
            headers.append(name: field.name, value: field.value)
        }
        let hostCount = headers.values(of: "Host").count
        guard hostCount == 1 || (hostCount == 0 && version == "HTTP/1.0") else {
            throw rejection("number of Host fields")
        }
        return RequestHead(
            method: String(decoding: parts[0], as: UTF8.self),
            target: String(decoding: parts[1], as: UTF8.self), headers: headers,
            framing: try framing(headers), closesConnection: closes(headers, version: version),
            expectsContinue: headers.tokens(of: "Expect").contains("100-continue"))
    }

    private static func parseField(
        _ line: ArraySlice<UInt8>
    ) throws(RequestRejection) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
            throw rejection("header field name")
        }
        var value = line[(colon + 1)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw rejection("header field value")
        }
        return (
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)
        )
    }

    private static func framing(
        _ headers: FixtureHeaders
    ) throws(RequestRejection) -> RequestHead.BodyFraming {
        let codings = headers.tokens(of: "Transfer-Encoding")
        let lengths = headers.values(of: "Content-Length")
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw rejection("both kinds of body framing") }
            guard codings == ["chunked"] else {
                throw RequestRejection(status: 501, reason: "transfer coding")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.allSatisfy({ $0 == length }),
            length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length)
        else { throw rejection("Content-Length") }
        return .length(count)
    }

    private static func closes(_ headers: FixtureHeaders, version: String) -> Bool {
        let options = headers.tokens(of: "Connection")
        if options.contains("close") { return true }
        return version == "HTTP/1.0" && !options.contains("keep-alive")
    }

    private static func rejection(_ reason: String) -> RequestRejection {
        RequestRejection(status: 400, reason: reason)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isVisible(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { tokenBytes[Int($0)] }
    }

    private static let tokenBytes: [Bool] = {
        var allowed = [Bool](repeating: false, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for byte in (letters + "0123456789!#$%&'*+-.^_`|~").utf8 { allowed[Int(byte)] = true }
        return allowed
    }()
}
