import BluebonnetTransport
import Foundation

/// A reader that reads a multipart body once, from its start, in pieces of any size.
///
/// Calls block on disks and streams. Only one thread uses a reader.
package final class MultipartReader {
    private var segments: ArraySlice<MultipartBody.Segment>
    /// The number of bytes read from the first segment.
    private var offset: Int64 = 0
    /// The file or stream of the first segment, once reading it has begun.
    private var file: UploadFile?
    private var stream: InputStreamReader?
    private var failure: MultipartFailure?
    private var memory: PieceMemory?

    package init(_ body: MultipartBody) {
        segments = body.segments[...]
    }

    /// Returns 1 to `count` bytes, at most 1 MiB, or no bytes at the end.
    ///
    /// After a failure, every call throws that failure.
    package func read(upTo count: Int) throws(MultipartFailure) -> Data {
        if let failure { throw failure }
        do throws(MultipartFailure) {
            return try piece(upTo: min(max(1, count), 1 << 20))
        } catch {
            failure = error
            advance()
            throw error
        }
    }

    private func piece(upTo limit: Int) throws(MultipartFailure) -> Data {
        var piece = Data()
        while piece.count < limit, let segment = segments.first {
            // A stream can block, so bytes that are already available are returned first.
            if case .stream = segment, !piece.isEmpty { break }
            let next = try next(of: segment, upTo: limit - piece.count)
            if piece.isEmpty { piece = next } else { piece.append(next) }
        }
        return piece
    }

    /// Returns the next bytes of the first segment, or none if it is empty.
    private func next(
        of segment: MultipartBody.Segment, upTo limit: Int
    ) throws(MultipartFailure) -> Data {
        let next: Data
        let length: Int64
        switch segment {
        case .bytes(let data):
            length = Int64(data.count)
            let start = data.startIndex + Int(offset)
            next = data[start..<min(data.endIndex, start + limit)]
        case .file(let file, let part):
            length = file.length
            next = try read(file, part, upTo: limit)
        case .stream(let streamLength, let factory, let part):
            length = streamLength
            next = try read(streamLength, factory, part, upTo: limit)
        }
        offset += Int64(next.count)
        if offset == length { advance() }
        return next
    }

    private func read(
        _ segment: MultipartFile, _ part: MultipartPart, upTo limit: Int
    ) throws(MultipartFailure) -> Data {
        let memory = memory ?? PieceMemory()
        self.memory = memory
        do throws(FileFailure) {
            if file == nil { file = try segment.open() }
            return try file?.read(at: offset, upTo: limit, into: memory) ?? Data()
        } catch {
            throw part.failure(.file(error))
        }
    }

    private func read(
        _ length: Int64, _ factory: @escaping BodyStreamFactory, _ part: MultipartPart,
        upTo limit: Int
    ) throws(MultipartFailure) -> Data {
        let stream = stream ?? InputStreamReader(length: length, factory)
        self.stream = stream
        do throws(StreamFailure) {
            return try stream.read(upTo: limit)
        } catch {
            throw part.failure(.stream(error))
        }
    }

    /// Closes the source of the first segment, and advances to the next segment.
    private func advance() {
        segments = segments.dropFirst()
        offset = 0
        file = nil
        memory = nil
        stream = nil
    }
}
