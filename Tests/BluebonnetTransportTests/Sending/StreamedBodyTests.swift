import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Bodies read while they are sent", .timeLimit(.minutes(5)))
struct StreamedBodyTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    private func send(
        _ body: Exchange.Body,
        method: String = "POST"
    ) async -> ExchangeRecorder.Record {
        await fixture.transport.perform(
            fixture.exchange("/echo-body", method: method).with { $0.body = body }
        )
    }

    @Test("they arrive completely, with their length or chunked, in pieces of any size")
    func whole() async {
        fixture.server.recordsRequests = true
        for size in [0, 1, 1000, 65_536, 1_000_003] {
            let bytes = DeterministicBytes.prefix(size)
            for length in [Int64(size), nil] {
                for pieceSize in [999, 70_000, 1 << 20] {
                    let body = Exchange.Body.scripted(bytes, length: length, pieceSize: pieceSize)
                    let record = await send(body, method: size % 2 == 0 ? "POST" : "PUT")
                    #expect(record.failure == nil)
                    #expect(Array(record.body) == bytes)
                }
                let sent = fixture.server.recordedRequests.last
                #expect(sent?.headers["Content-Length"] == length.map { "\($0)" })
                #expect(sent?.headers["Transfer-Encoding"] == (length == nil ? "chunked" : nil))
                #expect(sent?.headers["Expect"] == nil)
            }
        }
    }

    @Test("a piece is released as soon as it is sent, not with the exchange")
    func lettingGo() async throws {
        let (freedom, free) = AsyncStream.makeStream(of: Void.self)
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        let stream = Exchange.BodyStream(length: 1000, isReplayable: true) {
            WatchedPiece { free.yield() }
        }
        var body = StreamedBody(stream) { ready.yield() }
        let place = UnsafeMutableRawBufferPointer.allocate(byteCount: 600, alignment: 1)
        defer { place.deallocate() }
        var fill = body.fill(place)
        if case .later = fill {
            for await _ in readiness { break }
            fill = body.fill(place)
        }
        #expect("\(fill)" == "\(OutgoingBodyFill.bytes(600))")
        #expect("\(body.fill(place))" == "\(OutgoingBodyFill.bytes(400))")
        // This waits forever if the piece is retained.
        for await _ in freedom { break }
        withExtendedLifetime(body) {}
    }

    @Test("those over 4 GiB are declared with their length (fault 80)")
    func huge() async throws {
        let size: Int64 = 5 << 30
        let head = Locked("")
        let server = try RawServer { connection, _ in
            let text = connection.readHead()
            head.withLock { $0 = text }
            connection.send("HTTP/1.1 413 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        // More than the kernel takes before the server has answered.
        let bytes = [UInt8](repeating: 1, count: 32_000_000)
        let exchange = Exchange(method: "PUT", url: server.baseURL + "/", pool: Exchange.Pool())
            .with { $0.body = .scripted(bytes, length: size) }
        let record = await fixture.transport.perform(exchange)
        #expect(record.head?.statusCode == 413, "\(record.failure as Any)")
        #expect(head.withLock { $0 }.contains("Content-Length: 5368709120\r\n"))
    }

    @Test("those with fewer or more bytes than declared fail before they are complete")
    func wrongLength() async {
        let bytes = DeterministicBytes.prefix(600_000)
        for length in [0, 1, 599_999, 600_001, 900_000] as [Int64] {
            let before = fixture.server.requestCount
            let record = await send(.scripted(bytes, length: length))
            #expect(record.failure?.code == .requestBodyStreamExhausted, "\(length)")
            #expect(record.failure?.message.contains("\(length)") == true)
            #expect(fixture.server.requestCount == before, "no whole request arrived")
        }
        #expect(await send(.scripted(bytes, length: 600_000)).failure == nil)
    }

    @Test("a failure of the source, at its opening or later, ends the exchange")
    func failing() async {
        let bytes = DeterministicBytes.prefix(2_000_000)
        for place in [0, 70_000, 700_000] {
            let body = Exchange.Body.scripted(bytes, length: place == 0 ? nil : 2_000_000) {
                offset throws(Exchange.Failure) in
                if offset >= place { throw .broken }
            }
            #expect(await send(body).failure == .broken)
        }
        let unopened = Exchange.BodyStream(length: 3, isReplayable: true) {
            () throws(Exchange.Failure) in throw .broken
        }
        #expect(await send(.stream(unopened)).failure == .broken)
        #expect(await send(.data(Data("x".utf8))).failure == nil)
    }

    @Test("a source that waits delays no other exchange, and the body continues after it")
    func waiting() async {
        let gate = DispatchSemaphore(value: 0)
        let bytes = DeterministicBytes.prefix(300_000)
        let body = Exchange.Body.scripted(bytes, length: 300_000) { offset in
            if offset == 140_000 { gate.wait() }
        }
        let (recorder, _) = fixture.transport.begin(
            fixture.exchange("/echo-body", method: "POST").with { $0.body = body }
        )
        for _ in 0..<20 {
            #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        }
        #expect(recorder.now.ends.isEmpty)
        gate.signal()
        #expect(await Array(recorder.atEnd.body) == bytes)
    }

    @Test("a source that waits forever can be canceled, and times out")
    func stuck() async {
        let gate = DispatchSemaphore(value: 0)
        // More than the number of reads, or a thread would wait forever.
        defer { for _ in 0..<20 { gate.signal() } }
        let body = Exchange.Body.scripted([1, 2, 3], length: nil) { _ in gate.wait() }
        let exchange = fixture.exchange("/echo-body", method: "POST").with { $0.body = body }
        let (recorder, transfer) = fixture.transport.begin(exchange)
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections == 1 })
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
        let record = await fixture.transport.perform(exchange.with { $0.timeouts.idle = 0.1 })
        #expect(record.failure?.code == .timedOut)
    }

    @Test(
        "an empty one whose source does not end is not sent, can be canceled, and times out")
    func endless() async {
        let gate = DispatchSemaphore(value: 0)
        // More than the number of reads, or a thread would wait forever.
        defer { for _ in 0..<20 { gate.signal() } }
        let (reads, read) = AsyncStream.makeStream(of: Void.self)
        let body = Exchange.Body.scripted([], length: 0) { _ in
            read.yield()
            gate.wait()
        }
        let exchange = fixture.exchange("/echo-body", method: "POST").with { $0.body = body }
        let (recorder, transfer) = fixture.transport.begin(exchange)
        for await _ in reads { break }
        transfer.suspend()
        transfer.resume()
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
        let record = await fixture.transport.perform(exchange.with { $0.timeouts.idle = 0.1 })
        #expect(record.failure?.code == .timedOut)
        #expect(fixture.server.requestCount == 0)
    }

    @Test("an empty one that can be read once is sent again on a new connection")
    func emptyReplay() async throws {
        // The first connection serves one request, and ends when it has another.
        let server = try RawServer { connection, number in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            if number == 0 { connection.readHead() }
        }
        let pool = Exchange.Pool()
        _ = await fixture.transport.perform(
            Exchange(method: "GET", url: server.baseURL, pool: pool))
        var exchange = Exchange(method: "PUT", url: server.baseURL, pool: pool)
        exchange.body = .scripted([], length: 0, isReplayable: false)
        let record = await fixture.transport.perform(exchange)
        #expect(record.failure == nil && record.head?.statusCode == 200)
    }

    @Test("those suspended and resumed under way arrive completely")
    func suspended() async {
        let bytes = DeterministicBytes.prefix(3_000_000)
        let exchange = fixture.exchange("/echo-body", method: "PUT").with {
            $0.body = .scripted(bytes, length: nil, pieceSize: 100_000)
        }
        let (recorder, transfer) = fixture.transport.begin(exchange)
        for _ in 0..<100 {
            transfer.suspend()
            transfer.resume()
        }
        #expect(await Array(recorder.atEnd.body) == bytes)
    }

    @Test("progress is reported in growing numbers that end with the length")
    func reports() async {
        let bytes = DeterministicBytes.prefix(5_000_000)
        let bodies: [Exchange.Body] = [
            .data(Data(bytes)), .data(Data([1, 2, 3])), .scripted(bytes, length: 5_000_000),
            .scripted(bytes, length: nil),
        ]
        for body in bodies {
            let recorder = ExchangeRecorder(keepsBody: false)
            var exchange = fixture.exchange("/echo-body", method: "POST")
            exchange.body = body
            exchange.reportsSending = true
            _ = fixture.transport.start(exchange, reportingTo: recorder)
            let record = await recorder.atEnd
            #expect(record.sentCounts == record.sentCounts.sorted())
            #expect(record.sentCounts.last == body.length ?? 5_000_000)
            #expect(record.failure == nil)
        }
    }

    @Test(
        "those resent on a new connection start from the beginning, or fail",
        arguments: [true, false]
    )
    func replay(isReplayable: Bool) async throws {
        let bytes = DeterministicBytes.prefix(400_000)
        // The first connection serves one request and breaks in the middle of the second.
        let script: RawServer.Script = { connection, number in
            connection.readHead()
            if number == 0 {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                connection.readHead()
                connection.read(100_000)
                return
            }
            let received = connection.read(400_000)
            let answer = received == bytes ? "same" : "else"
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(answer)")
        }
        var codes: Set<URLError.Code?> = []
        for _ in 0..<10 {
            let server = try RawServer(script)
            let url = server.baseURL
            let pool = Exchange.Pool()
            _ = await fixture.transport.perform(Exchange(method: "GET", url: url, pool: pool))
            var exchange = Exchange(method: "PUT", url: url, pool: pool)
            exchange.body = .scripted(bytes, length: 400_000, isReplayable: isReplayable)
            let record = await fixture.transport.perform(exchange)
            codes.insert(record.failure?.code)
            if record.failure == nil {
                #expect(String(decoding: record.body, as: UTF8.self) == "same")
            }
        }
        // libcurl resends only requests without a response, not those that it failed to send.
        #expect(codes.contains(isReplayable ? nil : .requestBodyStreamExhausted))
        #expect(!codes.contains(isReplayable ? .requestBodyStreamExhausted : nil))
    }

    @Test("they lose nothing if an idle connection has been closed")
    func staleConnection() async throws {
        let bytes = DeterministicBytes.prefix(300_000)
        let server = try RawServer { connection, _ in
            if connection.readHead().hasPrefix("GET") {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                connection.resetAtClose()
                return
            }
            let received = connection.read(300_000)
            let answer = received == bytes ? "same" : "else"
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\(answer)")
        }
        for round in 0..<60 {
            let pool = Exchange.Pool()
            _ = await fixture.transport.perform(
                Exchange(method: "GET", url: server.baseURL, pool: pool))
            var exchange = Exchange(method: "PUT", url: server.baseURL, pool: pool)
            exchange.body = .scripted(bytes, length: 300_000, pieceSize: 3000)
            let record = await fixture.transport.perform(exchange)
            // libcurl does not resend a request that it failed to send in the middle.
            if let failure = record.failure {
                #expect(failure.code == .networkConnectionLost, "round \(round)")
            } else {
                #expect(String(decoding: record.body, as: UTF8.self) == "same")
            }
        }
    }
}

/// A piece of 1,000 bytes that reports its release.
private final class WatchedPiece: BodySource {
    private let becomeFree: @Sendable () -> Void
    private let hasBeenRead = Locked(false)

    init(_ becomeFree: @escaping @Sendable () -> Void) {
        self.becomeFree = becomeFree
    }

    func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        let isFirst = hasBeenRead.withLock { hasBeenRead in
            defer { hasBeenRead = true }
            return !hasBeenRead
        }
        guard isFirst else { return Data() }
        return Data(
            bytesNoCopy: .allocate(byteCount: 1000, alignment: 1),
            count: 1000,
            deallocator: .custom { [becomeFree] memory, _ in
                memory.deallocate()
                becomeFree()
            }
        )
    }
}
