import BluebonnetTransport
import Foundation

@testable import Bluebonnet

extension DownloadFile {
    @discardableResult
    func write(_ pieces: [[UInt8]]) async -> Int {
        await withCheckedContinuation { continuation in
            write(pieces.map { Exchange.Chunk(Data($0)) }) { continuation.resume(returning: $0) }
        }
    }

    func finish() async throws(FileFailure) -> Int64 {
        try await result { finish(completion: $0) }
    }

    @discardableResult
    func move(to destination: URL, _ options: DownloadOptions = []) async throws(FileFailure) -> URL
    {
        try await result { move(to: destination, options: options, completion: $0) }
    }

    func keep(_ options: DownloadOptions = []) async throws(FileFailure) -> PartialFile {
        try await result { keep(options: options, completion: $0) }
    }

    /// Waits until all earlier writes are done.
    func flush() async { await write([]) }

    private func result<Value: Sendable>(
        _ call: (@escaping Completion<Value>) -> Void
    ) async throws(FileFailure) -> Value {
        let result = await withCheckedContinuation { continuation in
            call { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
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
