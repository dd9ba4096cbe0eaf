import BluebonnetTransport
import Foundation

@testable import Bluebonnet

/// A download's file that is open, as the tests of its operations use it.
final class TestedFile: Sendable {
    private let file: DownloadFile
    /// The location of the temporary file.
    let url: URL

    private init(_ file: DownloadFile, at url: URL) {
        (self.file, self.url) = (file, url)
    }

    /// Creates a temporary file in a directory.
    static func make(
        in directory: URL, options: DownloadOptions = [], fileSystem: FileSystem = .linux,
        failureHandler: @escaping @Sendable (FileFailure) -> Void = { _ in }
    ) async throws(FileFailure) -> TestedFile {
        let place = Download.Place(
            url: directory.appendingPathComponent("place"), options: options)
        return try await opened(
            DownloadFile(at: place, on: fileSystem, for: SessionWork(.system)) { event in
                if case .failed(let failure) = event { failureHandler(failure) }
            })
    }

    /// Reopens the file of an earlier download.
    static func reopen(
        _ partial: PartialFile, fileSystem: FileSystem = .linux
    ) async throws(FileFailure) -> TestedFile {
        try await opened(
            DownloadFile(
                reopening: partial, at: Download.Place(url: nil, options: []), on: fileSystem,
                for: SessionWork(.system)
            ) { _ in })
    }

    private static func opened(_ file: DownloadFile) async throws(FileFailure) -> TestedFile {
        let whole = try await result { file.complete(then: $0) }
        return TestedFile(file, at: whole.url)
    }

    /// Writes pieces, and returns how many bytes are no longer held.
    @discardableResult
    func write(_ pieces: [[UInt8]]) async -> Int {
        await withCheckedContinuation { continuation in
            send(pieces.map { Exchange.Chunk(Data($0)) }) { continuation.resume(returning: $0) }
        }
    }

    func send(_ chunks: [Exchange.Chunk], consumed: @escaping @Sendable (Int) -> Void = { _ in }) {
        let size = chunks.reduce(0) { $0 + $1.count }
        file.write(
            Delivery(
                chunks: chunks, size: size, transfer: ConsumedTransfer(consumed),
                receiver: .file(file)))
    }

    func finish() async throws(FileFailure) -> Int64 {
        try await Self.result { file.complete(then: $0) }.length
    }

    @discardableResult
    func move(to destination: URL, _ options: DownloadOptions = []) async throws(FileFailure) -> URL
    {
        try await Self.result { file.move(to: destination, options, then: $0) }
    }

    func keep(_ options: DownloadOptions = []) async throws(FileFailure) -> PartialFile {
        try await Self.result { file.keep(options, then: $0) }
    }

    func remove() async {
        await withCheckedContinuation { continuation in
            file.remove { continuation.resume() }
        }
    }

    private static func result<Value: Sendable>(
        _ call: (@escaping DownloadFile.Completion<Value>) -> Void
    ) async throws(FileFailure) -> Value {
        let result = await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}

/// A transfer that passes on how many bytes are no longer held.
private final class ConsumedTransfer: Transfer {
    private let consumed: @Sendable (Int) -> Void

    init(_ consumed: @escaping @Sendable (Int) -> Void) { self.consumed = consumed }

    func begin() {}
    func cancel() {}
    func suspend() {}
    func resume() {}
    func didConsume(_ count: Int) { consumed(count) }
}

/// Returns the failure that a call throws, or nil if it succeeds.
func failure(_ call: () async throws(FileFailure) -> Void) async -> FileFailure? {
    do {
        try await call()
        return nil
    } catch {
        return error
    }
}
