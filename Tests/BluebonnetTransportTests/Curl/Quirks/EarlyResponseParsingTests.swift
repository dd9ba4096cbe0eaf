import Testing

@testable import BluebonnetTransport

@Suite("A response that came before its connection was reset")
struct EarlyResponseParsingTests {
    private func head(_ status: Int = 200, _ fields: [(String, String)] = []) -> Exchange.Head {
        let fields = fields.map { Exchange.Field(name: $0.0, value: $0.1) }
        let length = fields.first { $0.name == "Content-Length" }.flatMap { Int($0.value) }
        return Exchange.Head(
            statusCode: status, block: FieldBlock(fields), declaredLength: length)
    }

    /// The body behind a head of one line, with the bytes that follow that.
    private func body(
        _ bytes: String, _ head: Exchange.Head, of method: String = "PUT", wasReset: Bool = true
    ) throws -> (text: String, isWhole: Bool) {
        var early = try #require(EarlyResponse(Array("HTTP/1.1 200 OK\r\n\(bytes)".utf8)))
        #expect(
            early.takeLine().map { String(decoding: $0, as: UTF8.self) } == "HTTP/1.1 200 OK\r\n")
        let body = early.body(behind: head, of: method, wasReset: wasReset)
        return (String(decoding: body.bytes, as: UTF8.self), body.isWhole)
    }

    @Test("is none if it does not begin as HTTP/1 does, or has nothing")
    func none() {
        #expect(EarlyResponse([]) == nil)
        #expect(EarlyResponse(Array("HTTP/2 200\r\n\r\n".utf8)) == nil)
        #expect(EarlyResponse(Array("SSH-2.0\r\n".utf8)) == nil)
        var cut = EarlyResponse(Array("HTTP/1.1 200 OK".utf8))
        let line = cut?.takeLine()
        #expect(cut != nil && line == nil)
    }

    @Test("has the declared length, or is cut")
    func length() throws {
        let head = head(413, [("Content-Length", "4")])
        #expect(try body("abcd", head) == ("abcd", true))
        #expect(try body("abcdevil", head) == ("abcd", true))
        #expect(try body("abc", head) == ("abc", false))
    }

    @Test("ends with the connection where nothing else tells, unless that was reset")
    func connectionEnd() throws {
        #expect(try body("abc", head(), wasReset: false) == ("abc", true))
        #expect(try body("abc", head(), wasReset: true) == ("abc", false))
    }

    @Test("has no body after HEAD, and with 204 and 304")
    func bodiless() throws {
        #expect(try body("abc", head(), of: "HEAD") == ("", true))
        #expect(try body("abc", head(204)) == ("", true))
        #expect(try body("abc", head(304)) == ("", true))
    }

    @Test("keeps its chunks, which tell their end themselves")
    func chunks() throws {
        let head = head(413, [("Transfer-Encoding", "chunked")])
        #expect(try body("3\r\nabc\r\n0\r\n\r\n", head) == ("3\r\nabc\r\n0\r\n\r\n", true))
        #expect(try body("3\r\nab", head) == ("3\r\nab", true))
    }
}
