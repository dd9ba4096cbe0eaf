import BluebonnetTransport
import Foundation

/// A stream that is sent as a request's body: as many bytes as were announced, or an error.
///
/// The stream is made and opened by the first call. Calls block until the stream gives something;
/// `hasBytesAvailable` is never asked, as false says nothing about the end. With an announced
/// length, the last piece is given out once the stream has ended behind it, so its producer must
/// end it without waiting for the response.
///
/// It belongs to the one thread that reads.
final class InputStreamReader {
    private let makeStream: @Sendable () throws -> InputStream
    private let announcedLength: Int64?
    private var stream: InputStream?
    private var failure: StreamFailure?
    private var count: Int64 = 0
    private let memory = PieceMemory()

    /// Reads a stream of that length; nil is any length.
    init(length: Int64? = nil, _ makeStream: @escaping @Sendable () throws -> InputStream) {
        announcedLength = length
        self.makeStream = makeStream
    }

    deinit {
        stream?.close()
    }

    /// The next bytes, at least one and at most as many as asked for; empty at the end.
    ///
    /// After a failure every call gives that failure.
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
                    + " announce the length it has, or none"
            )
        }
        if count == announcedLength, try !next(of: stream, upTo: 1).isEmpty {
            throw StreamFailure(
                .tooLong,
                "the stream holds more than the announced \(announcedLength) bytes;"
                    + " announce the length it has, or none"
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
            throw StreamFailure(.unusable, "the stream could not be made: \(error)")
        }
        guard made.streamStatus == .notOpen else {
            throw StreamFailure(
                .unusable, "the stream was opened before; return a new one from each call"
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
            // A stream of the caller's own can answer anything.
            guard (0...limit).contains(got), stream.streamStatus != .error else {
                let reason = stream.streamError.map { "\($0)" } ?? "it gave no reason"
                throw StreamFailure(.failed, "the stream failed: \(reason)")
            }
            return got
        }
        // A stream that gives little at a time would have pieces that hold many times their bytes.
        return piece.count < limit / 2 ? piece.withUnsafeBytes { Data($0) } : piece
    }
}
