import BluebonnetTransport
public import Foundation

extension MultipartFormData {
    /// Writes the body to a file, which is there complete or not at all.
    ///
    /// The calling thread does not wait for the disk. At most a mebibyte is held in memory. When the
    /// Swift task is cancelled, it goes on at once, and no file appears, unless that is about to be
    /// moved to its place.
    ///
    /// - Parameters:
    ///   - file: Where the file goes. One that is there fails the call, unless `options` say
    ///     otherwise.
    ///   - options: How the file gets there; none by default.
    /// - Returns: The `Content-Type` that the body must be sent with, because its boundary is there.
    /// - Throws: A ``MultipartFailure`` for what could not be read, a ``FileFailure`` for what could
    ///   not be written, `CancellationError` when the Swift task was cancelled.
    public func write(to file: URL, options: DownloadOptions = []) async throws -> String {
        let body = try MultipartBody(self)
        try await body.write(to: file, options)
        return body.contentType
    }
}

extension MultipartBody {
    func write(
        to file: URL, _ options: DownloadOptions, on fileSystem: FileSystem = .linux
    ) async throws {
        let write = CancellableWrite()
        // A queue of its own, for a stream may wait for ever.
        try await write.run(on: DispatchQueue(label: "bluebonnet.multipart.write")) {
            try writeAll(to: file, options, fileSystem, write)
        }
    }

    func writeAll(
        to file: URL, _ options: DownloadOptions, _ fileSystem: FileSystem,
        _ write: CancellableWrite
    ) throws {
        try write.check()
        let destination = try FilePath(file, for: .create)
        if options.contains(.createIntermediateDirectories) {
            try destination.parent.createDirectory(on: fileSystem)
        }
        let temporary = try TemporaryFile.make(in: destination.parent, on: fileSystem)
        do {
            let reader = MultipartReader(self)
            while case let piece = try reader.read(upTo: 1 << 18), !piece.isEmpty {
                try temporary.write([Exchange.Chunk(piece)])
                try write.check()
            }
            try write.settle()
            try temporary.move(to: destination, options)
        } catch {
            temporary.remove()
            throw error
        }
    }
}
