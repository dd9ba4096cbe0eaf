import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

/// Returns a body with the parts of a closure and a boundary from a seed.
func multipart(
    on fileSystem: FileSystem = .linux,
    seed: UInt64 = 1,
    _ construct: (inout MultipartFormData) throws -> Void
) throws -> MultipartBody {
    var form = MultipartFormData(on: fileSystem)
    try construct(&form)
    var generator = SeededGenerator(seed: seed)
    return try MultipartBody(form) { generator.next() }
}

/// Returns the body as text, with `B` as its boundary.
func text(of body: MultipartBody) throws -> String {
    String(decoding: try body.readAll(by: 1 << 16), as: UTF8.self)
        .replacing(body.boundary, with: "B")
}

extension MultipartBody {
    func readAll(by count: Int) throws -> [UInt8] {
        let reader = MultipartReader(self)
        var bytes: [UInt8] = []
        while case let piece = try reader.read(upTo: count), !piece.isEmpty {
            #expect(piece.count <= count)
            bytes += piece
        }
        return bytes
    }
}

/// Returns a request that a serializer creates from a form.
func formRequest(
    _ method: String = "POST",
    parameters: Parameters? = nil,
    by serializer: any RequestSerializer = HTTPRequestSerializer(),
    _ construct: (inout MultipartFormData) throws -> Void = { _ in }
) throws -> URLRequest {
    try serializer.multipartFormRequest(
        request(method), parameters: parameters, constructingBody: construct
    )
}

/// Returns the failure of an action.
func partFailure(_ action: () throws -> Void) -> MultipartFailure? {
    #expect(throws: MultipartFailure.self, performing: action)
}

extension MultipartFailure {
    var fileFailure: FileFailure? {
        if case .file(let failure) = reason { failure } else { nil }
    }

    var streamReason: StreamFailure.Reason? {
        if case .stream(let failure) = reason { failure.reason } else { nil }
    }
}
