import BluebonnetTesting
import BluebonnetTransport
import Foundation
import Testing

import Bluebonnet

/// On a stub with routes and a manual clock.
typealias StubDownloadRig = Downloads<StubTransport>

extension Downloads where Wire == StubTransport {
    convenience init(
        clock: ManualClock = ManualClock(),
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        change(&configuration)
        try self.init(on: StubTransport(), configuration)
    }

    /// Downloads the start of a file, breaks off, and returns the resume data.
    func resumeData(
        after count: Int, of body: [UInt8], fields: [String: String] = tagged
    ) async throws -> Data {
        let responded = responses.count
        let route = stub.on("/file", .file(body, fields).cut(after: count))
        defer { stub.remove(route) }
        try task().resume()
        return try #require(await responses.wait(for: responded + 1).last?.error?.resumeData)
    }
}

extension StubResponse {
    static func file(_ bytes: some Sequence<UInt8>, _ fields: [String: String] = [:]) -> Self {
        Self(200, headers: HTTPHeaders(fields), body: Data(bytes))
    }

    /// Returns the rest of a file from an offset, unless the fields differ.
    static func rest(
        of bytes: [UInt8], from offset: Int, _ fields: [String: String] = [:]
    ) -> Self {
        let own = [
            "Content-Range": String.range(offset, of: bytes.count), "ETag": #""v1""#,
        ]
        return Self(
            206, headers: HTTPHeaders(own.merging(fields) { $1 }),
            body: Data(bytes.dropFirst(offset)))
    }
}
