import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// Makes a stream of a request's body, from its first byte; called on a thread that may wait.
public typealias BodyStreamFactory = @Sendable () throws -> InputStream

// Indirect, because every task has room for one, and most have none.
/// What an upload sends instead of its request's own body.
indirect enum UploadBody: Sendable {
    case data(Data)
    case file(URL)
    /// A stream that can be made again, and its length where that is known.
    case stream(length: Int64?, BodyStreamFactory)
    case pieces(UploadPieces)
    case multipart(MultipartBody)

    /// The body as the transport takes it; a file is opened now, and has its size from now on.
    ///
    /// - Throws: A ``FileFailure``, a ``StreamFailure`` for a length below zero, or a
    ///   ``MultipartFailure`` for a file of a form.
    func exchangeBody(_ fault: BodyFault, on executor: (any TaskExecutor)?) throws -> Exchange.Body
    {
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
            return try pieces.exchangeBody(fault, on: executor)
        case .multipart(let body):
            try body.check()
            return body.exchangeBody(fault)
        }
    }

    /// The length of a stream as its request tells it; nil where it does not.
    static func length(of request: URLRequest) -> Int64? {
        request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }

    /// The stream that a request brings with itself, which can be read only once unless it is a
    /// form's.
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

/// A stream that came with a request.
// Sendable: it is handed to the one reader of a body that is not replayable.
private final class SingleStream: @unchecked Sendable {
    let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
    }
}
