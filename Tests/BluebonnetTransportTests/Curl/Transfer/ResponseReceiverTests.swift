import Testing

@testable import BluebonnetTransport

@Suite("Receiving a response")
struct ResponseReceiverTests {
    private let now = MonotonicInstant.now

    /// Takes a head and starts the body after it.
    private func begin(
        _ lines: String..., method: String = "GET", in receiver: Held<ResponseReceiver>
    ) throws -> ResponseReceiver.Framing? {
        for line in lines + [""] {
            let bytes = Array("\(line)\r\n".utf8)
            let taken = bytes.withUnsafeBytes { bytes in
                Result { () throws(Exchange.Failure) in try receiver.value.takeHeadLine(bytes) }
            }
            guard case .head(let head) = try taken.get() else { continue }
            receiver.value.noteHead()
            let exchange = Exchange(method: method, url: "http://x/", pool: Exchange.Pool())
            var codings: Exchange.ContentCodings?
            return try receiver.value.beginBody(head, of: exchange, noting: &codings)
        }
        return nil
    }

    private func framing(_ lines: String..., method: String = "GET") throws
        -> ResponseReceiver.Framing?
    {
        let receiver = receiver()
        let (first, second) = (lines.first ?? "", lines.dropFirst().joined(separator: "\r\n"))
        return second.isEmpty
            ? try begin(first, method: method, in: receiver)
            : try begin(first, second, method: method, in: receiver)
    }

    private func receiver() -> Held<ResponseReceiver> {
        let exchange = Exchange(method: "GET", url: "http://x/", pool: Exchange.Pool())
        return Held(ResponseReceiver(terms: exchange.terms, now: now))
    }

    @Test("the end of a body is determined as in RFC 9112 section 6.3")
    func framings() throws {
        #expect(try framing("HTTP/1.1 200 OK", "Content-Length: 7") == .length(7))
        #expect(try framing("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") == .chunks)
        #expect(try framing("HTTP/1.1 200 OK") == .connectionEnd)
        #expect(
            try framing("HTTP/1.1 204 No Content", "Content-Length: 7")
                == ResponseReceiver.Framing.none)
        #expect(try framing("HTTP/1.1 304 Not Modified") == ResponseReceiver.Framing.none)
        #expect(
            try framing("HTTP/1.1 200 OK", "Content-Length: 7", method: "HEAD")
                == ResponseReceiver.Framing.none)
        #expect(try framing("HTTP/2 200", "Content-Length: 7") == .other)
    }

    @Test("a declared length is reached with the last byte")
    func length() throws {
        let receiver = receiver()
        _ = try begin("HTTP/1.1 200 OK", "Content-Length: 7", in: receiver)
        let isHeadThere = receiver.value.hasHead
        #expect(isHeadThere)
        #expect(try take("abcdef", in: receiver) == 0)
        let isThere = receiver.value.isWhole
        #expect(!isThere)
        #expect(try take("g", in: receiver) == 0)
        let isThereNow = receiver.value.isWhole
        #expect(isThereNow)
    }

    @Test("chunks end with their trailer, and are not counted as bytes of the body")
    func chunks() throws {
        let receiver = receiver()
        _ = try begin("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", in: receiver)
        #expect(try take("3\r\nabc\r\n0\r\nA: b\r\n", in: receiver) == 0)
        let lacksChunks = receiver.value.lacksChunks
        #expect(lacksChunks)
        #expect(try take("\r\nHTTP/1.1", in: receiver) == 8)
        let (isWhole, size) = (receiver.value.isWhole, receiver.value.wireBytes)
        #expect(isWhole && size == 3)
        #expect(receiver.value.trailers?.map(\.description) == ["A: b"])
        #expect(receiver.value.takeChunks().map(\.count) == [3])
    }

    /// Takes bytes of a body and returns how many of them are after its end.
    private func take(_ text: String, in receiver: Held<ResponseReceiver>) throws -> Int {
        let found = receiver.value.body
        let body = try #require(found)
        let result = Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(Exchange.Failure) in
                try receiver.value.takeBody(bytes, into: body)
            }
        }
        return try result.get()
    }

    @Test("a turn takes its first piece always, at most 200, and no other without time")
    func pieces() {
        let receiver = receiver()
        let turn = now.advanced(by: 1)
        let first = receiver.value.takesPiece(inTurnOf: turn, hasTime: { false })
        let second = receiver.value.takesPiece(inTurnOf: turn, hasTime: { false })
        #expect(first && !second)
        let next = turn.advanced(by: 1)
        let taken = (0..<300).count { _ in
            receiver.value.takesPiece(inTurnOf: next, hasTime: { true })
        }
        #expect(taken == 200)
    }
}
