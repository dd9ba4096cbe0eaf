import Bluebonnet
import Foundation

/// A range of a file, read ahead of its reader.
final class BodyFileSource: BodySource {
    private struct State {
        /// What was read and not yet taken.
        var pieces: [Data] = []
        var readyCount = 0
        /// The part of the file that was not read yet.
        var rest: Range<Int>
        var isReading = false
        var hasFailed = false
        var wake: (@Sendable () -> Void)?
    }

    /// The most bytes ahead, and the bytes that are read at once.
    private static let (ahead, readSize) = (256 * 1024, 128 * 1024)

    private let file: BodyFile
    private let state: Locked<State>
    private let didFail: @Sendable () -> Void

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: The part of it, which it must have.
    ///   - didFail: Called if the file turns out not to have it.
    init(_ file: BodyFile, _ range: Range<Int>, didFail: @escaping @Sendable () -> Void) {
        (self.file, self.didFail) = (file, didFail)
        state = Locked(State(rest: range))
        readAhead()
    }

    func next(
        upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
    ) throws(Exchange.Failure) -> Exchange.BodyPiece {
        let piece: Exchange.BodyPiece? = state.withLock { state in
            guard let first = state.pieces.first else {
                if state.hasFailed { return nil }
                if state.rest.isEmpty, !state.isReading { return .end }
                state.wake = wake
                return .later
            }
            let part = first.prefix(count)
            if part.count == first.count {
                state.pieces.removeFirst()
            } else {
                state.pieces[0] = first.dropFirst(part.count)
            }
            state.readyCount -= part.count
            return .bytes(part)
        }
        guard let piece else {
            throw Exchange.Failure(
                .resourceUnavailable,
                message: "the cached body \(file.path) could not be read to its end")
        }
        if case .bytes = piece { readAhead() }
        return piece
    }

    /// Reads the next bytes, unless enough are ready.
    private func readAhead() {
        let part = state.withLock { state -> Range<Int>? in
            guard !state.isReading, !state.hasFailed, !state.rest.isEmpty,
                state.readyCount <= Self.ahead - Self.readSize
            else { return nil }
            state.isReading = true
            return state.rest.prefix(Self.readSize)
        }
        guard let part else { return }
        file.lane.async { [weak self, file] in
            // A reader that has left needs no bytes.
            guard self != nil else { return }
            let bytes = file.read(part.count, at: part.lowerBound)
            self?.didRead(bytes)
        }
    }

    private func didRead(_ bytes: Data?) {
        let (wake, hasFailed) = state.withLock { state in
            state.isReading = false
            if let bytes, !bytes.isEmpty {
                state.pieces.append(bytes)
                state.readyCount += bytes.count
                state.rest = state.rest.dropFirst(bytes.count)
            } else {
                state.hasFailed = true
            }
            return (state.wake.take(), state.hasFailed)
        }
        if hasFailed { didFail() } else { readAhead() }
        // What the reader does with the bytes does not hold up other files.
        if let wake { SQLiteCacheStore.answers.async(execute: wake) }
    }
}
