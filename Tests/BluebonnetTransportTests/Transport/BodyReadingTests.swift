import BluebonnetTransport
import Foundation
import Testing

@Suite("Bodies that a transport reads completely", .timeLimit(.minutes(5)))
struct BodyReadingTests {
    /// Has nothing at every other read.
    private final class Hesitant: BodySource {
        private let pieces = Locked((isReady: false, left: ["ab", "c"]))

        func next(
            upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
        ) throws(Exchange.Failure) -> Exchange.BodyPiece {
            let isReady = pieces.withLock { pieces in
                defer { pieces.isReady.toggle() }
                return pieces.isReady
            }
            guard isReady else {
                Thread.detachNewThread { wake() }
                return .later
            }
            return pieces.withLock { pieces in
                guard !pieces.left.isEmpty else { return .end }
                return .bytes(Data(pieces.left.removeFirst().utf8))
            }
        }
    }

    @Test("a body whose source has nothing for now is awaited")
    func hesitant() throws {
        let stream = Exchange.BodyStream(length: nil, isReplayable: true) { Hesitant() }
        #expect(try Exchange.Body.stream(stream).read() == Data("abc".utf8))
        #expect(try Exchange.Body.data(Data("d".utf8)).read() == Data("d".utf8))
    }

    @Test(
        "a body with more or fewer bytes than declared is refused", arguments: [0, 2, 4] as [Int64])
    func length(announced: Int64) {
        let stream = Exchange.BodyStream(length: announced, isReplayable: true) { Hesitant() }
        #expect(throws: Exchange.Failure.self) { try Exchange.Body.stream(stream).read() }
    }
}
