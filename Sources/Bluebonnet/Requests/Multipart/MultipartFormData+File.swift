import BluebonnetTransport
public import Foundation

extension MultipartFormData {
    /// Writes the body to a file, which appears complete or not at all.
    ///
    /// The calling thread does not wait for the disk. At most 1 MiB is held in memory. If the Swift
    /// task is canceled, the call ends at once, and no file appears unless it is already being
    /// moved to its destination.
    ///
    /// - Parameters:
    ///   - file: The destination. An existing file fails the call, unless `options` allow its
    ///     replacement.
    ///   - options: How the file is written to its destination; none by default.
    /// - Returns: The `Content-Type` to send the body with, which contains the boundary.
    /// - Throws: A ``MultipartFailure`` if a part cannot be read, a ``FileFailure`` if the file
    ///   cannot be written, or a `CancellationError` if the Swift task is canceled.
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
        // A dedicated queue, because a stream can block forever.
        try await write.run(on: DispatchQueue(label: "bluebonnet.multipart.write")) {
            try writeAll(to: file, options, fileSystem, write)
        }
    }

    package func writeAll(
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
