import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking

/// A body source with pieces of a given size, which calls the test before each.
final class ScriptedSource: BodySource {
    typealias Step = @Sendable (_ offset: Int) throws(Exchange.Failure) -> Void

    private let bytes: [UInt8]
    private let pieceSize: Int
    private let before: Step
    private let offset = Locked(0)

    init(_ bytes: [UInt8], pieceSize: Int = 70_000, before: @escaping Step = { _ in }) {
        self.bytes = bytes
        self.pieceSize = pieceSize
        self.before = before
    }

    func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        let start = offset.withLock { $0 }
        try before(start)
        let end = min(bytes.count, start + min(count, pieceSize))
        offset.withLock { $0 = end }
        return Data(bytes[start..<end])
    }
}

extension Exchange.Body {
    /// Returns a stream over bytes, with a new source each time it is opened.
    static func scripted(
        _ bytes: [UInt8],
        length: Int64?,
        isReplayable: Bool = true,
        pieceSize: Int = 70_000,
        before: @escaping ScriptedSource.Step = { _ in }
    ) -> Self {
        .stream(
            Exchange.BodyStream(length: length, isReplayable: isReplayable) {
                ScriptedSource(bytes, pieceSize: pieceSize, before: before)
            }
        )
    }
}

extension Exchange.Failure {
    static let broken = Exchange.Failure(.cannotOpenFile, message: "the source broke")
}
