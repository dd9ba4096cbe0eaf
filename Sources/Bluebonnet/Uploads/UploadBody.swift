import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// Creates a stream of a request's body that starts at its first byte; may block its thread.
public typealias BodyStreamFactory = @Sendable () throws -> InputStream

// Indirect, because every task reserves space for a body and most have none.
/// The body of an upload, which replaces the body of its request.
package indirect enum UploadBody: Sendable {
    case data(Data)
    case file(URL)
    /// A stream that can be created again, and its length if it is known.
    case stream(length: Int64?, BodyStreamFactory)
    case pieces(UploadPieces)
    case multipart(MultipartBody)

    /// Returns the body for the transport.
    ///
    /// A file is opened now, and its current size becomes the length of the body.
    ///
    /// - Throws: A ``FileFailure``, a ``StreamFailure`` for a negative length, or a
    ///   ``MultipartFailure`` for a file of a form.
    func exchangeBody(
        _ fault: BodyFault, in context: CallerContext?, on executor: (any TaskExecutor)?
    ) throws -> Exchange.Body {
        switch self {
        case .data(let data):
            return .data(data)
        case .file(let url):
            let file = try UploadFile(url)
            return .stream(
                Exchange.BodyStream(length: file.length, isReplayable: true) {
                    FileSource(file, fault: fault)
                }
            )
        case .stream(let length, let factory):
            try StreamFailure.check(length)
            return .stream(
                Exchange.BodyStream(length: length, isReplayable: true) {
                    StreamSource(length: length, factory, fault: fault)
                }
            )
        case .pieces(let pieces):
            return try pieces.exchangeBody(fault, in: context, on: executor)
        case .multipart(let body):
            try body.check()
            return body.exchangeBody(fault)
        }
    }

    /// Returns the length of a stream according to the request's `Content-Length`; nil without one.
    static func length(of request: URLRequest) -> Int64? {
        request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }

    /// Returns the request's own `httpBodyStream` as a body.
    ///
    /// It can be read only once, unless it is a form.
    static func ownStream(of request: URLRequest, _ fault: BodyFault) -> Exchange.Body? {
        guard let stream = request.httpBodyStream else { return nil }
        if let form = request.multipartBody { return form.exchangeBody(fault) }
        let stock = SingleStream(stream)
        let length = length(of: request)
        return .stream(
            Exchange.BodyStream(length: length, isReplayable: false) {
                StreamSource(length: length, { stock.stream }, fault: fault)
            }
        )
    }
}

/// A stream that a request contains.
// Unchecked Sendable: only one reader uses it, because the body is not replayable.
private final class SingleStream: @unchecked Sendable {
    let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }
}
