import Foundation

/// An open source whose bytes are checked against the announced length.
final class OpenSource: Sendable {
    enum Piece {
        case bytes(Data)
        /// The last bytes, possibly none.
        case last(Data)
        case later
    }

    private struct State {
        var readCount: Int64 = 0
        /// The piece that completes the announced length, held until the source confirms its end.
        var lastPiece: Data?
    }

    private let source: any BodySource
    private let length: Int64?
    private let state = Locked(State())

    init(_ source: any BodySource, length: Int64?) {
        self.source = source
        self.length = length
    }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Piece {
        guard let length else {
            switch try source.next(upTo: count, whenReady: wake) {
            case .bytes(let piece): return piece.isEmpty ? .last(piece) : .bytes(piece)
            case .later: return .later
            case .end: return .last(Data())
            }
        }
        let (readCount, lastPiece) = state.withLock { ($0.readCount, $0.lastPiece) }
        if let lastPiece { return try confirmEnd(after: lastPiece, length, wake) }
        let wanted = min(Int64(count), length - readCount)
        guard wanted >= 0 else { throw Self.wrongLength("more than the \(length) bytes") }
        guard wanted > 0 else { return try confirmEnd(after: Data(), length, wake) }
        switch try source.next(upTo: Int(wanted), whenReady: wake) {
        case .bytes(let piece) where !piece.isEmpty:
            let total = readCount + Int64(piece.count)
            guard total <= length else { throw Self.wrongLength("more than the \(length) bytes") }
            state.withLock { state in
                state.readCount = total
                state.lastPiece = total == length ? piece : nil
            }
            return total == length ? try confirmEnd(after: piece, length, wake) : .bytes(piece)
        case .later: return .later
        case .bytes, .end:
            throw Self.wrongLength("\(readCount) bytes instead of the \(length)")
        }
    }

    /// Requests one more byte to confirm the end, because libcurl never reads beyond the length.
    private func confirmEnd(
        after piece: Data, _ length: Int64, _ wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Piece {
        switch try source.next(upTo: 1, whenReady: wake) {
        case .bytes(let more) where !more.isEmpty:
            throw Self.wrongLength("more than the \(length) bytes")
        case .later: return .later
        case .bytes, .end: break
        }
        state.withLock { $0.lastPiece = nil }
        return .last(piece)
    }

    private static func wrongLength(_ what: String) -> Exchange.Failure {
        Exchange.Failure(
            .requestBodyStreamExhausted,
            message: """
                the request's body has \(what) that were announced, so it was not sent completely; \
                correct the announced length
                """
        )
    }
}
