import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

// A server that will not have a large body may answer, close and so reset the connection while the
// body is still being sent. libcurl then fails to send, and never reads the answer, which has
// arrived before the reset: it is taken from the socket just before that is closed. Under TLS it
// cannot be had this way.
extension CurlTransfer {
    private static let largestAnswer = 256 * 1024

    /// Reads what nobody has read of a connection that is about to be closed.
    func keepEarlyResponse(on socket: Int32) {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while answer.count < Self.largestAnswer {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            answer += buffer.prefix(count)
        }
        let isAnswer = answer.starts(with: "HTTP/1.".utf8)
        earlyResponse = isAnswer ? answer : nil
    }

    /// Takes the answer as the response; false when there is none that is whole in its head.
    func takesEarlyResponse() -> Bool {
        guard let answer = earlyResponse.take() else { return false }
        var rest = answer[...]
        while !hasHead {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return false }
            let isTaken = rest[...end].withUnsafeBytes { receiveHeaderLine($0) }
            guard isTaken || hasHead else { return failure != nil }
            rest = rest[(end + 1)...]
        }
        guard failure == nil else { return true }
        do throws(Exchange.Failure) {
            let (body, isWhole) = body(in: rest, framedBy: report.head)
            try takeEarlyBody(body)
            if !isWhole { throw .cutResponse }
        } catch {
            failure = error
        }
        return true
    }

    private func body(
        in bytes: ArraySlice<UInt8>,
        framedBy head: Exchange.Head?
    ) -> (body: [UInt8], isWhole: Bool) {
        guard let head, exchange.method != "HEAD", head.statusCode != 204, head.statusCode != 304
        else { return ([], true) }
        if head.isChunked { return Self.unchunked(bytes) }
        // Without a length nobody knows what a reset has cut off.
        guard let length = head.declaredLength else { return (Array(bytes), !wasReset) }
        return (Array(bytes.prefix(length)), bytes.count >= length)
    }

    /// Whether it was a reset that libcurl met, and not the end of a connection.
    private var wasReset: Bool { handle?.number(CURLINFO_OS_ERRNO) != Int(EPIPE) }

    /// Removes the chunked coding (RFC 9112 section 7.1).
    private static func unchunked(_ bytes: ArraySlice<UInt8>) -> (body: [UInt8], isWhole: Bool) {
        var rest = bytes
        var body: [UInt8] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let digits = rest[..<end].prefix { $0.isHexDigit }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { break }
            rest = rest[(end + 1)...]
            guard size > 0 else { return (body, true) }
            body += rest.prefix(size)
            // A size may be as large as a number can be.
            guard rest.count - 2 >= size else { break }
            rest = rest.dropFirst(size + 2)
        }
        return (body, false)
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

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x66).contains(asciiLowercased)
    }
}
