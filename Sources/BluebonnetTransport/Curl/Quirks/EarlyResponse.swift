import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

/// A response over HTTP/1 to a request whose body was still being sent when the server closed the
/// connection.
///
/// libcurl then fails to send, and never reads the response, which has arrived before the reset. It is
/// taken from the socket just before that is closed. Under TLS it cannot be had this way.
struct EarlyResponse {
    private static let largestSize = 256 * 1024

    /// The bytes that were not taken yet.
    private var rest: ArraySlice<UInt8>

    /// Nil where the bytes are no response.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "HTTP/1.".utf8) else { return nil }
        rest = bytes[...]
    }

    /// Reads what libcurl has not read of a connection that is about to be closed.
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

    /// Hands the response to an exchange as libcurl would; false where its head is not whole.
    ///
    /// What is wrong with it becomes the exchange's failure.
    consuming func replay(into transfer: CurlTransfer) -> Bool {
        while !transfer.response.hasHead {
            guard let line = takeLine() else { return false }
            let isTaken = line.withUnsafeBytes { transfer.receiveHeaderLine($0) }
            guard isTaken || transfer.response.hasHead else { return transfer.failure != nil }
        }
        guard transfer.failure == nil, let head = transfer.report.head else { return true }
        // libcurl met a reset, and not the end of a connection, unless the system says so.
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

    /// Takes the next line of the head, its line end included; nil where none is whole.
    mutating func takeLine() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[...end]
    }

    /// The body behind a head, with the framing of chunks, and whether it is whole as far as that does
    /// not tell.
    ///
    /// Without a length only the end of the connection tells: what a reset has cut off is unknown.
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
            message: "the server reset the connection before its response was whole"
        )
    }
}
