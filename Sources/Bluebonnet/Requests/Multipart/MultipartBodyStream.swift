import Foundation

/// A multipart body as the stream of a request.
///
/// Tasks use ``body`` itself, which can be read repeatedly. Any other receiver of the request can
/// read the stream once.
package final class MultipartBodyStream: InputStream {
    let body: MultipartBody
    private let reader: MultipartReader
    private var status = Stream.Status.notOpen
    private var failure: MultipartFailure?

    package init(_ body: MultipartBody) {
        self.body = body
        reader = MultipartReader(body)
        super.init(data: Data())
    }

    package override func open() {
        if status == .notOpen { status = .open }
    }

    package override func close() {
        status = .closed
    }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard status == .open, maxLength > 0 else { return status == .atEnd ? 0 : -1 }
        do throws(MultipartFailure) {
            let piece = try reader.read(upTo: maxLength)
            piece.copyBytes(to: buffer, count: piece.count)
            if piece.isEmpty { status = .atEnd }
            return piece.count
        } catch {
            failure = error
            status = .error
            return -1
        }
    }

    package override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    package override var hasBytesAvailable: Bool { status == .open }
    package override var streamStatus: Stream.Status { status }
    package override var streamError: (any Error)? { failure }
}
