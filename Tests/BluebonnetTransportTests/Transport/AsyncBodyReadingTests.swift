import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("Bodies that a Swift task reads completely", .timeLimit(.minutes(1)))
struct AsyncBodyReadingTests {
    /// Waits for a wake-up before each piece without blocking.
    private final class Patient: BodySource {
        private let left: Locked<[String]>
        private let wakes = Locked<[@Sendable () -> Void]>([])
        private let wakesItself: Bool

        init(_ pieces: [String], wakesItself: Bool = true) {
            left = Locked(pieces)
            self.wakesItself = wakesItself
        }

        func next(
            upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
        ) throws(Exchange.Failure) -> Exchange.BodyPiece {
            let isFirst = wakes.withLock { wakes in
                defer { wakes = wakes.isEmpty ? [wake] : [] }
                return wakes.isEmpty
            }
            guard !isFirst else {
                if wakesItself { wake() }
                return .later
            }
            return left.withLock { left in
                left.isEmpty ? .end : .bytes(Data(left.removeFirst().utf8))
            }
        }
    }

    /// Blocks its thread until it is released.
    private final class Blocking: BodySource {
        let gate = DispatchSemaphore(value: 0)
        let (reads, reading) = AsyncStream<Void>.makeStream()

        func read(upTo count: Int) throws(Exchange.Failure) -> Data {
            reading.finish()
            gate.wait()
            gate.signal()
            return Data()
        }
    }

    private func body(
        length: Int64? = nil, mayBlock: Bool = false, _ source: any BodySource
    ) -> Exchange.Body {
        var stream = Exchange.BodyStream(length: length, isReplayable: false) { source }
        stream.mayBlock = mayBlock
        return .stream(stream)
    }

    @Test(
        "a body whose source wakes its reader during the read is read",
        arguments: [true, false])
    func patient(mayBlock: Bool) async throws {
        let body = self.body(mayBlock: mayBlock, Patient(["ab", "c"]))
        #expect(try await body.read() == Data("abc".utf8))
        #expect(try await Exchange.Body.data(Data("d".utf8)).read() == Data("d".utf8))
    }

    @Test(
        "a body with more or fewer bytes than declared is refused", arguments: [2, 4] as [Int64],
        [true, false])
    func length(announced: Int64, mayBlock: Bool) async {
        let body = self.body(length: announced, mayBlock: mayBlock, Patient(["ab", "c"]))
        await #expect(throws: Exchange.Failure.self) { try await body.read() }
    }

    @Test("a cancel ends the wait for a source that never wakes its reader")
    func cancelled() async {
        let body = self.body(Patient(["a"], wakesItself: false))
        let task = Task { try await body.read() }
        task.cancel()
        let failure = await #expect(throws: Exchange.Failure.self) { try await task.value }
        #expect(failure?.code == .cancelled)
    }

    @Test(
        "a cancel ends the read of an endless source",
        arguments: [true, false])
    func endless(mayBlock: Bool) async {
        final class Endless: BodySource {
            let (reads, reading) = AsyncStream<Void>.makeStream()

            func read(upTo count: Int) throws(Exchange.Failure) -> Data {
                reading.finish()
                return Data(count: 1)
            }
        }
        let source = Endless()
        let task = Task { [body = self.body(mayBlock: mayBlock, source)] in try await body.read() }
        for await _ in source.reads {}
        task.cancel()
        let failure = await #expect(throws: Exchange.Failure.self) { try await task.value }
        #expect(failure?.code == .cancelled)
    }

    @Test("a cancel ends the wait for a blocking source, whose thread continues alone")
    func blocked() async {
        let source = Blocking()
        let task = Task { [body = self.body(mayBlock: true, source)] in try await body.read() }
        for await _ in source.reads {}
        task.cancel()
        let failure = await #expect(throws: Exchange.Failure.self) { try await task.value }
        #expect(failure?.code == .cancelled)
        source.gate.signal()
    }
}
