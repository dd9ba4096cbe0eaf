import BluebonnetTransport
import Foundation

/// A reader for a stream that is sent as a request's body.
///
/// The first call creates and opens the stream. Calls block until the stream returns bytes.
/// `hasBytesAvailable` is not used, because false does not mean the end.
///
/// If a length is announced, a stream with fewer or more bytes is an error. The last piece is then
/// returned only after the stream has ended. Its producer must therefore end it without waiting for
/// the response.
///
/// A reader belongs to the one thread that reads from it.
final class InputStreamReader {
    private let makeStream: @Sendable () throws -> InputStream
    private let announcedLength: Int64?
    private var stream: InputStream?
    private var failure: StreamFailure?
    private var count: Int64 = 0
    private let memory = PieceMemory()

    /// Creates a reader for a stream of a known length, or of any length if it is nil.
    init(length: Int64? = nil, _ makeStream: @escaping @Sendable () throws -> InputStream) {
        announcedLength = length
        self.makeStream = makeStream
    }

    deinit {
        stream?.close()
    }

    /// Returns the next bytes, at least 1 and at most `count`, or no bytes at the end.
    ///
    /// After a failure, every call throws that failure.
    func read(upTo count: Int) throws(StreamFailure) -> Data {
        if let failure { throw failure }
        do throws(StreamFailure) {
            return try piece(upTo: min(max(1, count), 1 << 20))
        } catch {
            failure = error
            stream?.close()
            throw error
        }
    }

    private func piece(upTo limit: Int) throws(StreamFailure) -> Data {
        let stream = try openedStream()
        guard let announcedLength else { return try next(of: stream, upTo: limit) }
        let rest = announcedLength - count
        let piece = rest > 0 ? try next(of: stream, upTo: Int(min(Int64(limit), rest))) : Data()
        count += Int64(piece.count)
        if rest > 0, piece.isEmpty {
            throw StreamFailure(
                .tooShort,
                "the stream ended after \(count) of \(announcedLength) bytes;"
                    + " pass its exact length, or nil"
            )
        }
        if count == announcedLength, try !next(of: stream, upTo: 1).isEmpty {
            throw StreamFailure(
                .tooLong,
                "the stream holds more than the announced \(announcedLength) bytes;"
                    + " pass its exact length, or nil"
            )
        }
        return piece
    }

    private func openedStream() throws(StreamFailure) -> InputStream {
        if let stream { return stream }
        let made: InputStream
        do {
            made = try makeStream()
        } catch {
            throw StreamFailure(.unusable, "the stream could not be created: \(error)")
        }
        guard made.streamStatus == .notOpen else {
            throw StreamFailure(
                .unusable, "the stream was already opened; return a new one from each call"
            )
        }
        made.open()
        stream = made
        return made
    }

    private func next(of stream: InputStream, upTo limit: Int) throws(StreamFailure) -> Data {
        let piece = try memory.piece(upTo: limit) { room throws(StreamFailure) in
            let start = room.bindMemory(to: UInt8.self).baseAddress
            let got = start.map { stream.read($0, maxLength: limit) } ?? 0
            // A custom subclass of `InputStream` can return any number.
            guard (0...limit).contains(got), stream.streamStatus != .error else {
                let reason = stream.streamError.map { "\($0)" } ?? "it gave no reason"
                throw StreamFailure(.failed, "the stream failed: \(reason)")
            }
            return got
        }
        // Copied, because a short piece would keep memory for `limit` bytes.
        return piece.count < limit / 2 ? piece.withUnsafeBytes { Data($0) } : piece
    }
}
