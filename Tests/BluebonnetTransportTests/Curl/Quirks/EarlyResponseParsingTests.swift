import Testing

@testable import BluebonnetTransport

@Suite("An early response before a reset connection")
struct EarlyResponseParsingTests {
    private func head(_ status: Int = 200, _ fields: [(String, String)] = []) -> Exchange.Head {
        let fields = fields.map { Exchange.Field(name: $0.0, value: $0.1) }
        let length = fields.first { $0.name == "Content-Length" }.flatMap { Int($0.value) }
        return Exchange.Head(
            statusCode: status, block: FieldBlock(fields), declaredLength: length)
    }

    /// Returns the body for these bytes after a status line, and whether it is whole.
    private func body(
        _ bytes: String, _ head: Exchange.Head, of method: String = "PUT", wasReset: Bool = true
    ) throws -> (text: String, isWhole: Bool) {
        var early = try #require(EarlyResponse(Array("HTTP/1.1 200 OK\r\n\(bytes)".utf8)))
        #expect(
            early.takeLine().map { String(decoding: $0, as: UTF8.self) } == "HTTP/1.1 200 OK\r\n")
        let body = early.body(behind: head, of: method, wasReset: wasReset)
        return (String(decoding: body.bytes, as: UTF8.self), body.isWhole)
    }

    @Test("it is nil if the bytes are empty or do not start like HTTP/1")
    func none() {
        #expect(EarlyResponse([]) == nil)
        #expect(EarlyResponse(Array("HTTP/2 200\r\n\r\n".utf8)) == nil)
        #expect(EarlyResponse(Array("SSH-2.0\r\n".utf8)) == nil)
        var cut = EarlyResponse(Array("HTTP/1.1 200 OK".utf8))
        let line = cut?.takeLine()
        #expect(cut != nil && line == nil)
    }

    @Test("it has the declared length or is incomplete")
    func length() throws {
        let head = head(413, [("Content-Length", "4")])
        #expect(try body("abcd", head) == ("abcd", true))
        #expect(try body("abcdevil", head) == ("abcd", true))
        #expect(try body("abc", head) == ("abc", false))
    }

    @Test("without framing it ends with the connection, unless that was reset")
    func connectionEnd() throws {
        #expect(try body("abc", head(), wasReset: false) == ("abc", true))
        #expect(try body("abc", head(), wasReset: true) == ("abc", false))
    }

    @Test("it has no body after HEAD, or with 204 and 304")
    func bodiless() throws {
        #expect(try body("abc", head(), of: "HEAD") == ("", true))
        #expect(try body("abc", head(204)) == ("", true))
        #expect(try body("abc", head(304)) == ("", true))
    }

    @Test("it keeps its chunks, which mark their own end")
    func chunks() throws {
        let head = head(413, [("Transfer-Encoding", "chunked")])
        #expect(try body("3\r\nabc\r\n0\r\n\r\n", head) == ("3\r\nabc\r\n0\r\n\r\n", true))
        #expect(try body("3\r\nab", head) == ("3\r\nab", true))
    }
}
