import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Uploads that wait without a thread", .timeLimit(.minutes(2)))
struct WaitingUploadTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 300))
    }

    private func begin(
        _ stream: Exchange.BodyStream
    ) -> (recorder: ExchangeRecorder, transfer: any Transfer) {
        fixture.transport.begin(
            fixture.exchange("/echo-body", method: "POST").with { $0.body = .stream(stream) })
    }

    @Test("they arrive completely, chunked or with their length", arguments: [nil, 90_000])
    func pieces(length: Int64?) async {
        let source = PromptedSource()
        let bytes = DeterministicBytes.prefix(90_000)
        let (recorder, _) = begin(source.stream(length: length))
        for number in 0..<3 {
            await source.later(number + 1)
            let piece = Data(bytes[(number * 30_000)..<((number + 1) * 30_000)])
            source.give(.success(.bytes(piece)))
        }
        await source.later(4)
        #expect(recorder.now.ends.isEmpty)
        source.give(.end)
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(Array(record.body) == bytes)
    }

    @Test("two hundred of them do not hold a thread each")
    func threads() async {
        let bytes: [UInt8] = [1, 2, 3]
        #expect(
            await Array(
                fixture.transport.perform(
                    fixture.exchange("/echo-body", method: "POST", body: bytes)
                ).body) == bytes)
        let before = ProcessState.threadCount
        let sources = (0..<200).map { _ in PromptedSource() }
        let recorders = sources.map { begin($0.stream()).recorder }
        for source in sources {
            await source.later(1)
            source.give(.bytes(1, 2))
            await source.later(2)
        }
        // Other tests start and end threads at the same time.
        #expect(await SystemSockets.settles { ProcessState.threadCount < before + 100 })
        for source in sources { source.give(.bytes(3), .end) }
        for recorder in recorders { #expect(await Array(recorder.atEnd.body) == bytes) }
    }

    @Test("an async sequence is sent piece by piece, and not read ahead beyond its limit")
    func sequence() async {
        let bytes = DeterministicBytes.prefix(3_000_000)
        let pieces = AsyncStream<Data> { stream in
            for start in stride(from: 0, to: bytes.count, by: 300_000) {
                stream.yield(Data(bytes[start..<(start + 300_000)]))
                stream.yield(Data())
            }
            stream.finish()
        }
        for length in [nil, 3_000_000] as [Int64?] {
            // An `AsyncStream` can be read once.
            let stream =
                length == nil
                ? Exchange.BodyStream(pieces) : Exchange.BodyStream(Halves(bytes), length: length)
            let record = await begin(stream).recorder.atEnd
            #expect(record.failure == nil)
            #expect(Array(record.body) == bytes)
        }
    }

    @Test("an error of a sequence ends the exchange, and is kept if it is a failure")
    func failingSequence() async {
        struct Odd: Error {}
        for error in [Exchange.Failure.broken, Odd()] as [any Error] {
            let pieces = AsyncThrowingStream<Data, any Error> { stream in
                stream.yield(Data([1]))
                stream.finish(throwing: error)
            }
            let failure = await begin(Exchange.BodyStream(pieces)).recorder.atEnd.failure
            if error is Odd {
                #expect(failure?.message.contains("Odd") == true)
            } else {
                #expect(failure == .broken)
            }
        }
    }

    @Test("a sequence is canceled with its exchange")
    func canceledSequence() async {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (cancellation, cancel) = AsyncStream.makeStream(of: Void.self)
        let pieces = AsyncStream<Data> {
            request.finish()
            // Only a cancel ends this.
            try? await Task.sleep(for: .seconds(3600))
            cancel.finish()
            return nil
        }
        do {
            let (recorder, transfer) = begin(Exchange.BodyStream(pieces))
            for await _ in requests {}
            transfer.cancel()
            #expect(await recorder.atEnd.failure?.code == .cancelled)
        }
        for await _ in cancellation {}
    }
}

/// A sequence of two pieces that can be read any number of times.
private struct Halves: AsyncSequence, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func makeAsyncIterator() -> AsyncStream<Data>.Iterator {
        let middle = bytes.count / 2
        return AsyncStream<Data> { stream in
            stream.yield(Data(bytes[..<middle]))
            stream.yield(Data(bytes[middle...]))
            stream.finish()
        }.makeAsyncIterator()
    }
}
