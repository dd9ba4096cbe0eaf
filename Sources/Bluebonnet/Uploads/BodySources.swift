import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The error of a request body that could not be read, kept because the transport cannot carry it.
final class BodyFault: Sendable {
    /// The error code that the transport receives instead.
    static let code = URLError.Code.cannotOpenFile

    private let fault = Locked<(any Error)?>(nil)

    var error: (any Error)? { fault.withLock { $0 } }

    /// Records an error and returns the failure to pass to the transport.
    func failure(_ error: any Error) -> Exchange.Failure {
        fault.withLock { $0 = error }
        return Exchange.Failure(Self.code, message: "\(error)")
    }
}

/// Reads a file once, from start to end.
final class FileSource: BodySource {
    private let file: UploadFile
    private let fault: BodyFault
    private let offset = Locked<Int64>(0)
    private let memory = PieceMemory()

    init(_ file: UploadFile, fault: BodyFault) {
        self.file = file
        self.fault = fault
    }

    func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        let place = offset.withLock { $0 }
        do throws(FileFailure) {
            let piece = try file.read(at: place, upTo: count, into: memory)
            offset.withLock { $0 += Int64(piece.count) }
            return piece
        } catch {
            throw fault.failure(error)
        }
    }
}

/// Reads a stream once, to its end.
// Unchecked Sendable: a source is used by one thread at a time.
final class StreamSource: BodySource, @unchecked Sendable {
    private let reader: InputStreamReader
    private let fault: BodyFault

    init(length: Int64?, _ factory: @escaping BodyStreamFactory, fault: BodyFault) {
        reader = InputStreamReader(length: length, factory)
        self.fault = fault
    }

    func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        do throws(StreamFailure) {
            return try reader.read(upTo: count)
        } catch {
            throw fault.failure(error)
        }
    }
}
