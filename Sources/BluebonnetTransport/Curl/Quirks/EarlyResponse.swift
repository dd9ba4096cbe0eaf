import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

/// An HTTP/1 response to a request whose body was still being sent when the server closed the
/// connection.
///
/// libcurl then fails to send and never reads the response, although it arrived before the reset.
/// It is read from the socket just before the socket is closed. This is not possible with TLS.
struct EarlyResponse {
    private static let largestSize = 256 * 1024

    /// The bytes that have not been taken yet.
    private var rest: ArraySlice<UInt8>

    /// Creates a response from its bytes, or returns nil if they are not an HTTP/1 response.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "HTTP/1.".utf8) else { return nil }
        rest = bytes[...]
    }

    /// Creates a response from the bytes that libcurl has not read of a connection that is about to
    /// close.
    init?(on socket: Int32) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while bytes.count < Self.largestSize {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        self.init(bytes)
    }

    /// Delivers the response to an exchange as libcurl would, and returns false if its head is
    /// incomplete.
    ///
    /// If the response is malformed, the exchange's failure is set.
    consuming func replay(into transfer: CurlTransfer) -> Bool {
        while !transfer.response.hasHead {
            guard let line = takeLine() else { return false }
            let isTaken = line.withUnsafeBytes { transfer.receiveHeaderLine($0) }
            guard isTaken || transfer.response.hasHead else { return transfer.failure != nil }
        }
        guard transfer.failure == nil, let head = transfer.report.head else { return true }
        // EPIPE means that the connection had ended in an orderly way. Otherwise it was reset.
        let wasReset = transfer.handle?.number(CURLINFO_OS_ERRNO) != Int(EPIPE)
        let (body, isWhole) = body(
            behind: head, of: transfer.exchange.method, wasReset: wasReset)
        do throws(Exchange.Failure) {
            try transfer.receiveEarlyBody(body)
            if !isWhole || transfer.response.lacksChunks { throw .cutResponse }
        } catch {
            transfer.failure = error
        }
        return true
    }

    /// Takes the next line of the head with its line end, or returns nil if no complete line is
    /// left.
    mutating func takeLine() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[...end]
    }

    /// Returns the body after a head, with the framing of chunks, and whether it is complete.
    ///
    /// Chunks count as complete, because their framing is checked later. Without a length, only the
    /// end of the connection ends the body, so it counts as incomplete after a reset.
    func body(
        behind head: Exchange.Head, of method: String, wasReset: Bool
    ) -> (bytes: [UInt8], isWhole: Bool) {
        guard method != "HEAD", head.statusCode != 204, head.statusCode != 304 else {
            return ([], true)
        }
        if head.isChunked { return (Array(rest), true) }
        guard let length = head.declaredLength else { return (Array(rest), !wasReset) }
        return (Array(rest.prefix(length)), rest.count >= length)
    }
}

extension Exchange.Failure {
    fileprivate static var cutResponse: Self {
        Self(
            .networkConnectionLost,
            message: "the server reset the connection before its response was complete"
        )
    }
}
