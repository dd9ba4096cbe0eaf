import BluebonnetTransport
import Foundation

/// A source that reads a multipart body once, to send it.
// Sendable: only one thread at a time uses a source.
final class MultipartSource: BodySource, @unchecked Sendable {
    private let reader: MultipartReader
    private let fault: BodyFault

    init(_ body: MultipartBody, fault: BodyFault) {
        reader = MultipartReader(body)
        self.fault = fault
    }

    func read(upTo count: Int) throws(Exchange.Failure) -> Data {
        do throws(MultipartFailure) {
            return try reader.read(upTo: count)
        } catch {
            throw fault.failure(error)
        }
    }
}

extension MultipartBody {
    /// Returns the body in the form that the transport accepts.
    func exchangeBody(_ fault: BodyFault) -> Exchange.Body {
        var stream = Exchange.BodyStream(length: length, isReplayable: true) {
            MultipartSource(self, fault: fault)
        }
        stream.throttle = throttle
        return .stream(stream)
    }
}
