import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Sending a request")
struct RequestSenderTests {
    private func sender(_ method: String, body: String? = nil, reports: Bool = false)
        -> Held<RequestSender>
    {
        var exchange = Exchange(method: method, url: "http://x/", pool: Exchange.Pool())
        let data = body.map { Data($0.utf8) }
        exchange.body = data.map { .data($0) }
        exchange.reportsSending = reports
        var sender = RequestSender(of: exchange)
        sender.body = data.map { MemoryBody($0) }
        return Held(sender)
    }

    private func fill(_ sender: Held<RequestSender>, _ count: Int) -> String {
        var place = [UInt8](repeating: 0, count: count)
        let fill = place.withUnsafeMutableBytes { sender.value.fill($0) }
        guard case .bytes(let filled) = fill else { return "?" }
        return String(decoding: place[..<filled], as: UTF8.self)
    }

    private func attempt(
        _ sender: Held<RequestSender>, newConnections: Int, afterRefusal: Bool = false
    ) -> Exchange.Failure? {
        sender.value.noteEndOfAttempt(wasRefused: afterRefusal)
        sender.value.countAttempt()
        do throws(Exchange.Failure) {
            try sender.value.prepareAttempt(newConnectionCount: newConnections)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "it is resent if its method is idempotent (RFC 9110 section 9.2.2)",
        arguments: [
            "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY", "POST", "PATCH", "get",
        ])
    func methods(method: String) {
        let sender = sender(method)
        let isIdempotent = !["POST", "PATCH", "get"].contains(method)
        #expect(sender.value.isIdempotent == isIdempotent)
        #expect(attempt(sender, newConnections: 1) == nil)
        let failure = attempt(sender, newConnections: 1)
        #expect((failure == nil) == isIdempotent)
        if let failure { #expect(failure.message.contains("\(method) is not idempotent")) }
    }

    @Test(
        "it is resent if it has an idempotency key",
        arguments: [
            ("Idempotency-Key", "1"), ("idempotency-key", "\"a\""), ("Idempotency-Key", ""),
            ("X", "1"),
        ])
    func key(name: String, value: String) {
        let fields = [Exchange.Field(name: name, value: value)]
        for method in ["POST", "PATCH", "x"] {
            #expect(
                Exchange.isIdempotent(method: method, fields: fields)
                    == (!value.isEmpty && name != "X"))
        }
        #expect(Exchange.isIdempotent(method: "PUT", fields: fields))
    }

    @Test("the failure of a request that is not resent has advice")
    func advice() {
        let request = RequestSender(
            of: Exchange(method: "POST", url: "http://a/", pool: Exchange.Pool()))
        #expect(request.notSentAgain().message.contains("add an Idempotency-Key"))
    }

    @Test(
        "whatever its method, it is resent as long as the server refuses it (RFC 9113 section 8.7)")
    func refused() {
        let sender = sender("POST", body: "once")
        #expect(attempt(sender, newConnections: 0) == nil)
        _ = fill(sender, 4)
        for _ in 0..<3 {
            #expect(attempt(sender, newConnections: 0, afterRefusal: true) == nil)
            #expect(sender.value.isUnprocessed && fill(sender, 4) == "once")
        }
        #expect(attempt(sender, newConnections: 0)?.message.contains("not idempotent") == true)
        #expect(!sender.value.isUnprocessed)
        // A refusal says nothing about the attempts before it.
        #expect(attempt(sender, newConnections: 0, afterRefusal: true) != nil)
    }

    @Test("refused on two new connections, it is unprocessed and not resent")
    func refusedTwice() {
        let sender = sender("POST", body: "once")
        #expect(attempt(sender, newConnections: 1) == nil)
        #expect(attempt(sender, newConnections: 2, afterRefusal: true) == nil)
        let failure = attempt(sender, newConnections: 2, afterRefusal: true)
        #expect(failure?.message.contains("the server refused the request twice") == true)
        // The third attempt was not sent, so its end changes nothing.
        sender.value.noteEndOfAttempt(wasRefused: false)
        #expect(sender.value.isUnprocessed)
    }

    @Test("a second attempt starts at the body's first byte")
    func rewinding() {
        let sender = sender("PUT", body: "abcdef")
        #expect(attempt(sender, newConnections: 0) == nil)
        #expect(fill(sender, 4) == "abcd")
        #expect(sender.value.sentBytes == 4 && !sender.value.isBodyTaken)
        #expect(attempt(sender, newConnections: 1) == nil)
        #expect(sender.value.sentBytes == 0)
        #expect(fill(sender, 100) == "abcdef")
        #expect(sender.value.isBodyTaken)
        #expect(fill(sender, 100) == "")
    }

    @Test("attempts on kept connections are unlimited, and those on new ones are limited to two")
    func attempts() {
        let kept = sender("GET")
        for _ in 0..<10 { #expect(attempt(kept, newConnections: 0) == nil) }
        #expect(attempt(kept, newConnections: 1) == nil)
        let failure = attempt(kept, newConnections: 2)
        #expect(failure?.message.contains("sent twice") == true)
    }

    @Test("progress is reported first, every 50 ms, and at the end, if requested")
    func progress() {
        let sender = sender("PUT", body: "abcdef", reports: true)
        let start = MonotonicInstant.now
        _ = fill(sender, 1)
        #expect(sender.value.progress(isAtEnd: false, at: start) == 1)
        _ = fill(sender, 1)
        #expect(sender.value.progress(isAtEnd: false, at: start.advanced(by: 0.049)) == nil)
        #expect(sender.value.progress(isAtEnd: false, at: start.advanced(by: 0.05)) == 2)
        _ = fill(sender, 4)
        #expect(sender.value.progress(isAtEnd: false, at: start.advanced(by: 0.051)) == 6)
        let silent = self.sender("PUT", body: "abcdef")
        _ = fill(silent, 6)
        #expect(silent.value.progress(isAtEnd: true, at: start) == nil)
    }

    @Test("a body that libcurl copied is reported once, after some of it was sent")
    func copied() {
        let sender = sender("PUT", body: "abcdef", reports: true)
        #expect(sender.value.progressOfCopiedBody { 0 } == nil)
        #expect(sender.value.progressOfCopiedBody { 6 } == 6)
        #expect(sender.value.progressOfCopiedBody { 6 } == nil)
    }

    @Test("bytes that libcurl sent by itself are detected once")
    func sentOnItsOwn() {
        let sender = sender("PUT", body: "abcdef")
        let looks = [0, 3, 3].map { sender.value.hasSentMore($0) }
        #expect(looks == [false, true, false])
    }

    @Test("a body of known length leaves libcurl until a sample shows that all of it has")
    func leaving() {
        let sender = sender("PUT", body: "abcdef")
        #expect(sender.value.isBodyLeaving)
        _ = sender.value.hasSentMore(5)
        #expect(sender.value.isBodyLeaving)
        _ = sender.value.hasSentMore(6)
        #expect(!sender.value.isBodyLeaving)
        // It leaves again when it is sent again.
        for _ in 0..<2 { #expect(attempt(sender, newConnections: 0) == nil) }
        #expect(sender.value.isBodyLeaving)
    }
}
