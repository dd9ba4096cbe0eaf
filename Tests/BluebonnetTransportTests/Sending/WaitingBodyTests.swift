import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Streamed bodies whose source answers later", .timeLimit(.minutes(2)))
struct WaitingBodyTests {
    private let source = PromptedSource()

    @Test("they continue when the source wakes the reader", arguments: [false, true])
    func later(mayBlock: Bool) async {
        let reader = LoopReader(source.stream(mayBlock: mayBlock))
        #expect(reader.hasNothing())
        await source.later(1)
        source.give(.bytes(1, 2))
        #expect(await reader.next() == .success([1, 2]))
        source.give(.bytes(3))
        source.give(.end)
        #expect(await reader.rest() == .success([3]))
    }

    @Test("the source is not asked again before it wakes the reader")
    func patience() async {
        let reader = LoopReader(source.stream())
        #expect(reader.hasNothing())
        await source.later(1)
        source.prepare(.bytes(1), .end)
        // Each call would start a read if the reader did not know that the source waits.
        for _ in 0..<100 { #expect(reader.hasNothing()) }
        source.wake()
        #expect(await reader.rest() == .success([1]))
        #expect(source.laterCount == 1)
    }

    @Test("a wake-up before the source has answered is not lost")
    func earlyWake() async {
        let source = PromptedSource(earlyWakes: 3)
        let reader = LoopReader(source.stream())
        #expect(reader.hasNothing())
        // The reader waits only after one more question for each wake-up.
        await source.later(4)
        source.give(.bytes(1), .end)
        #expect(await reader.rest() == .success([1]))
        #expect(source.laterCount == 4)
    }

    @Test("any number of wake-ups on any thread keep the order of the pieces")
    func manyWakes() async {
        let reader = LoopReader(source.stream())
        #expect(reader.hasNothing())
        await source.later(1)
        async let wakes: Void = withTaskGroup { [source] group in
            for _ in 0..<8 { group.addTask { source.wake(times: 50) } }
        }
        for number in 0..<200 as Range<UInt8> { source.give(.bytes(number)) }
        source.give(.end)
        #expect(await reader.rest() == .success(Array(0..<200)))
        await wakes
    }

    @Test("wake-ups after the end, after a failure, and after the release are accepted")
    func lateWakes() async {
        let reader = LoopReader(source.stream())
        source.prepare(.bytes(1), .end)
        #expect(await reader.rest() == .success([1]))
        source.wake(times: 2)
        #expect(await reader.rest() == .success([]))

        let failing = PromptedSource()
        let failed = LoopReader(failing.stream())
        failing.prepare(.failure(.broken))
        #expect(await failed.rest() == .failure(.broken))
        failing.wake(times: 2)
        #expect(await failed.rest() == .failure(.broken))

        let abandoned = PromptedSource()
        do {
            let reader = LoopReader(abandoned.stream())
            #expect(reader.hasNothing())
            await abandoned.later(1)
            reader.body.stop()
        }
        abandoned.give(.bytes(1), .end)
    }

    @Test("a waiting source is released when its body is stopped")
    func closing() async {
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        var stream = Exchange.BodyStream(length: nil, isReplayable: false) {
            WaitingSource(asked: { ask.finish() }, released: { release.finish() })
        }
        stream.mayBlock = false
        let reader = LoopReader(stream)
        #expect(reader.hasNothing())
        for await _ in asked {}
        reader.body.stop()
        for await _ in released {}
        withExtendedLifetime(reader) {}
    }

    @Test("they fail if the source fails after a `.later`")
    func failure() async {
        let reader = LoopReader(source.stream(length: 5))
        #expect(reader.hasNothing())
        await source.later(1)
        source.give(.bytes(1, 2))
        #expect(await reader.next() == .success([1, 2]))
        await source.later(2)
        source.give(.failure(.broken))
        #expect(await reader.rest() == .failure(.broken))
    }

    @Test("they fail with fewer or more bytes than declared, however long the source waited")
    func wrongLengths() async {
        for last: PromptedSource.Answer in [.end, .success(.bytes(Data())), .bytes(3, 4)] {
            let source = PromptedSource()
            let reader = LoopReader(source.stream(length: 3))
            #expect(reader.hasNothing())
            await source.later(1)
            source.give(.bytes(1, 2))
            await source.later(2)
            source.give(last)
            let result = await reader.rest()
            guard case .failure(let failure) = result else {
                Issue.record("sent \(result)")
                continue
            }
            #expect(failure.code == .requestBodyStreamExhausted)
        }
    }

    @Test("the last piece is held back until the source has confirmed the end")
    func confirmation() async {
        let reader = LoopReader(source.stream(length: 2))
        #expect(reader.hasNothing())
        await source.later(1)
        source.give(.bytes(1, 2))
        await source.later(2)
        #expect(reader.hasNothing())
        source.wake()
        await source.later(3)
        #expect(reader.hasNothing())
        source.give(.end)
        #expect(await reader.rest() == .success([1, 2]))

        let longer = PromptedSource()
        let failing = LoopReader(longer.stream(length: 2))
        longer.prepare(.bytes(1, 2))
        #expect(failing.hasNothing())
        await longer.later(1)
        longer.give(.bytes(3))
        let failure = await failing.rest()
        #expect(throws: Exchange.Failure.self) { try failure.get() }
    }

    @Test("after a rewind they start with another source, and ignore the former one")
    func rewind() async throws {
        let sources = [PromptedSource(), PromptedSource()]
        let opened = Locked(0)
        var stream = Exchange.BodyStream(length: nil, isReplayable: true) {
            sources[
                opened.withLock { opened in
                    defer { opened += 1 }
                    return opened
                }]
        }
        stream.mayBlock = false
        let reader = LoopReader(stream)
        sources[0].prepare(.bytes(1))
        #expect(await reader.next() == .success([1]))
        await sources[0].later(1)
        try reader.body.rewind()
        #expect(reader.hasNothing())
        await sources[1].later(1)
        sources[0].give(.bytes(9), .end)
        sources[1].give(.bytes(1), .bytes(2), .end)
        #expect(await reader.rest() == .success([1, 2]))
    }

    @Test("they wait for the throttle's delay and for the source, whichever takes longer")
    func throttled() async {
        let clock = SteppedClock()
        var stream = source.stream()
        stream.throttle = BodyThrottle(packetSize: 2, delay: .seconds(1), clock: clock)
        let reader = LoopReader(stream)
        #expect(reader.hasNothing())
        await source.later(1)
        source.give(.bytes(1, 2))
        #expect(await reader.next() == .success([1, 2]))
        _ = await clock.sleeper(1)
        // Neither ends the delay.
        source.give(.bytes(3))
        for _ in 0..<100 { #expect(reader.hasNothing()) }
        clock.wake()
        #expect(await reader.next() == .success([3]))
        await source.later(2)
        source.give(.end)
        #expect(await reader.rest() == .success([]))
    }

    @Test("they fail with an explanation if the source implements neither method")
    func neither() async {
        final class Empty: BodySource {}
        let reader = LoopReader(
            Exchange.BodyStream(length: nil, isReplayable: false) { Empty() })
        guard case .failure(let failure) = await reader.rest() else {
            Issue.record("sent")
            return
        }
        #expect(failure.message.contains("next(upTo:whenReady:)"))
    }
}

/// Reads a streamed body like the loop.
private final class LoopReader {
    var body: StreamedBody
    private let readiness: AsyncStream<Void>

    init(_ stream: Exchange.BodyStream) {
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        self.readiness = readiness
        body = StreamedBody(stream) { ready.yield() }
    }

    private func fill() -> Result<[UInt8], Exchange.Failure>? {
        var bytes = [UInt8](repeating: 0, count: 100)
        switch bytes.withUnsafeMutableBytes({ body.fill($0) }) {
        case .bytes(let count): return .success(Array(bytes.prefix(count)))
        case .later: return nil
        case .failed(let failure): return .failure(failure)
        }
    }

    /// Returns whether the body has nothing to send for now.
    func hasNothing() -> Bool { fill() == nil }

    /// Returns the next bytes, or none at the end.
    func next() async -> Result<[UInt8], Exchange.Failure> {
        while true {
            if let result = fill() { return result }
            for await _ in readiness { break }
        }
    }

    /// Returns all bytes up to the end.
    func rest() async -> Result<[UInt8], Exchange.Failure> {
        var all: [UInt8] = []
        while true {
            switch await next() {
            case .success([]): return .success(all)
            case .success(let bytes): all += bytes
            case .failure(let failure): return .failure(failure)
            }
        }
    }
}

/// A source that never has bytes, and reports reads and its release.
private final class WaitingSource: BodySource {
    private let asked: @Sendable () -> Void
    private let released: @Sendable () -> Void

    init(asked: @escaping @Sendable () -> Void, released: @escaping @Sendable () -> Void) {
        self.asked = asked
        self.released = released
    }

    deinit { released() }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        asked()
        return .later
    }
}
