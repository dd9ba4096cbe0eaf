import Bluebonnet
import Foundation

extension SharedBody {
    enum Storage {
        /// It is not decided yet whether the body is stored.
        case undecided
        case none
        case writing(any CacheWriter, isWhole: @Sendable (Bool) -> Void)
        /// Nothing more is written, but what was written can be read.
        case over(any CacheWriter)
    }

    struct State {
        var pieces = BodyPieces()
        /// The end, and the trailers before it.
        var end: Exchange.End?
        var trailers: [Exchange.Field]?
        var readers: [Int: Reader.Position] = [:]
        var lastReader = 0
        var storage = Storage.undecided
        /// The number of bytes that were written to the store.
        var written = 0
        /// Whether the store is writing.
        var isWriting = false
        /// Whether a thread is giving pieces to the store.
        var isStoring = false
        /// Whether the writer is discarded once it is not writing.
        var isDiscarded = false
        /// The number of bytes that have arrived since the server was last asked for more.
        var owed = 0
        /// The number of bytes up to which all are kept.
        let kept: Int
    }
}

extension SharedBody.State {
    enum Next {
        case piece(Exchange.BodyPiece)
        case failed(Exchange.Failure)
        case readBack(any CacheWriter, Range<Int>)
    }

    mutating func next(
        _ number: Int, _ limit: Int, _ wake: @escaping @Sendable () -> Void
    ) -> Next {
        guard var position = readers[number] else { return .piece(.end) }
        let next = next(&position, limit, wake)
        readers[number] = position
        trim()
        return next
    }

    private func next(
        _ position: inout SharedBody.Reader.Position, _ limit: Int,
        _ wake: @escaping @Sendable () -> Void
    ) -> Next {
        if let bytes = pieces.bytes(from: position.offset)?.prefix(limit) {
            position.readBack = .none
            position.offset += bytes.count
            return .piece(.bytes(bytes))
        }
        guard position.offset < pieces.count else {
            if let end { return end.failure.map { .failed($0) } ?? .piece(.end) }
            position.wake = wake
            return .piece(.later)
        }
        switch position.readBack {
        case .none:
            guard let writer else { return .failed(.lostBody) }
            position.readBack = .asked
            // Not more, because it stays in memory while the caller is suspended.
            let end = min(position.offset + 65_536, written)
            return .readBack(writer, position.offset..<end)
        case .asked:
            position.wake = wake
            return .piece(.later)
        case .read(nil): return .failed(.lostBody)
        case .read(let bytes?):
            let piece = bytes.prefix(limit)
            position.offset += piece.count
            position.readBack =
                piece.count < bytes.count ? .read(bytes.dropFirst(piece.count)) : .none
            return .piece(.bytes(piece))
        }
    }

    mutating func takeWakes() -> [@Sendable () -> Void] {
        var wakes: [@Sendable () -> Void] = []
        for (number, position) in readers {
            // A reader that waits for the store does not need new bytes from the server.
            if case .asked = position.readBack { continue }
            guard let wake = position.wake else { continue }
            wakes.append(wake)
            readers[number]?.wake = nil
        }
        return wakes
    }

    // MARK: Storing

    private var writer: (any CacheWriter)? {
        switch storage {
        case .writing(let writer, _), .over(let writer): writer
        case .undecided, .none: nil
        }
    }

    /// Stops the storing; the writer is discarded once it is not writing.
    mutating func stop() {
        switch storage {
        case .writing(let writer, _): (storage, isDiscarded) = (.over(writer), true)
        case .undecided: storage = .none
        case .over, .none: break
        }
    }

    mutating func takeDiscarded() -> (any CacheWriter)? {
        guard isDiscarded, !isWriting else { return nil }
        isDiscarded = false
        return writer
    }

    // MARK: Memory

    private var isStored: Bool {
        switch storage {
        case .undecided, .writing: true
        case .over, .none: false
        }
    }

    /// Whether a reader can begin: each byte can be read back, or is in memory.
    var isOpen: Bool { pieces.start <= written }

    private var isWithinKept: Bool { pieces.count <= kept }

    /// The place of the slowest reader among what cannot be read back.
    private var slowestPosition: Int {
        readers.values.lazy.map { max($0.offset, written) }.min() ?? pieces.count
    }

    /// The position that the server must not be too far ahead of.
    ///
    /// As long as slow readers do not need memory, that is the fastest one's, so that they do not hold up
    /// the others.
    var readPosition: Int {
        guard isStored || isWithinKept else { return slowestPosition }
        let fastest = readers.values.lazy.map(\.offset).max() ?? pieces.count
        return isStored ? min(written, fastest) : fastest
    }

    /// Forgets the pieces that can be read back, or that no reader needs.
    mutating func trim() {
        guard !isWithinKept else { return }
        pieces.forget(
            before: isStored ? min(written, pieces.count - kept) : slowestPosition)
        // Releases the store's copy once no reader can reach it.
        if case .over = storage, !isDiscarded, !isOpen,
            readers.values.allSatisfy({ $0.offset >= written })
        {
            storage = .none
        }
    }
}

extension Exchange.Failure {
    fileprivate static var lostBody: Self {
        Self(
            .resourceUnavailable,
            message: "the cache's store could not read back the body of the response; try again")
    }
}
