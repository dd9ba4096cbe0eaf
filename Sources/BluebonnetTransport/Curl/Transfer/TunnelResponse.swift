import CBluebonnet
import Foundation
import FoundationNetworking

/// A proxy's response to CONNECT, as far as it has to be parsed.
///
/// libcurl reads that response, and the body of a refusal, byte by byte without a limit, and calls
/// back only with the lines of the head. So a refusal ends the exchange at the end of its head, and
/// a head can have at most 8 KiB. Used only on the loop thread.
final class TunnelResponse {
    private static let largestHead = 8 * 1024

    private var size = 0
    private var status: Int?
    private var isFirstField = false
    /// The reader of a refusal's head, or nil for other responses and after a malformed line.
    private var refusal: HeadReader?

    /// A box for the parser, which is noncopyable, so that it can be held in an optional.
    private final class HeadReader {
        private var parser = HeadParser(limits: Exchange.Limits(headSize: largestHead))

        /// Takes a line, and returns the fields if it completes the head, or none otherwise.
        func take(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) -> [Exchange.Field] {
            guard case .head(let head) = try parser.take(line) else { return [] }
            return head.fields
        }
    }

    /// The outcome of a line for the tunnel.
    enum Event {
        case statusLine, more, foldedFirstField, malformed, tooLong
        case refused(status: Int, [Exchange.Field])
    }

    /// Takes a line for the exchange of a handle, and returns false if the exchange has no proxy.
    ///
    /// Throws if the tunnel was not opened.
    func receive(
        _ line: UnsafeRawBufferPointer, on handle: EasyHandle?
    ) throws(Exchange.Failure) -> Bool {
        guard let handle, let proxy = handle.proxy else { return false }
        let event = take(line)
        try handle.endLookAtFirstField()
        switch event {
        case .statusLine: try handle.lookAtFirstField()
        case .more: break
        case .foldedFirstField: throw .foldedFirstField
        case .malformed: throw .tunnelResponseMalformed(of: proxy)
        case .refused(let status, let fields):
            var failure = Exchange.Failure.tunnelRefused(
                by: proxy, status: status, hasLogin: handle.hasProxyLogin)
            failure.proxyFields = fields
            throw failure
        case .tooLong: throw .tunnelResponseTooLong(of: proxy)
        }
        return true
    }

    /// Takes one line, including its line end.
    ///
    /// libcurl also accepts other lines as a status line, and in other places. Such lines are
    /// malformed here, so that both always see the same status.
    func take(_ line: UnsafeRawBufferPointer) -> Event {
        size += line.count
        guard size <= Self.largestHead else { return .tooLong }
        guard let status else {
            status = Self.status(in: line)
            isFirstField = true
            if let status, status >= 300 { refusal = HeadReader() }
            _ = readRefusal(line)
            return status == nil ? .malformed : .statusLine
        }
        if isFirstField, line.first?.isFieldWhiteSpace == true { return .foldedFirstField }
        isFirstField = false
        guard !line.starts(with: "HTTP/".utf8) else { return .malformed }
        // For libcurl, such a line ends the head, whatever follows in it.
        let isEnd = line.first == 0x0D || line.first == 0x0A
        let fields = readRefusal(line)
        return isEnd && status >= 300 ? .refused(status: status, fields) : .more
    }

    /// Returns the fields of a refusal if the line completes its head, or none otherwise.
    private func readRefusal(_ line: UnsafeRawBufferPointer) -> [Exchange.Field] {
        do throws(Exchange.Failure) {
            return try refusal?.take(line) ?? []
        } catch {
            // Only the status of a malformed refusal is used.
            refusal = nil
            return []
        }
    }

    /// Returns the status code of a line such as `HTTP/1.1 200`, or nil if it only resembles one.
    private static func status(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count > 12, line.starts(with: "HTTP/1.".utf8),
            line[7] == UInt8(ascii: "0") || line[7] == UInt8(ascii: "1"),
            line[8] == UInt8(ascii: " "), line[9..<12].allSatisfy(isDigit), !isDigit(line[12])
        else { return nil }
        return line[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension Exchange.Failure {
    static func tunnelRefused(
        by proxy: Exchange.Route.Proxy,
        status: Int,
        hasLogin: Bool,
        curlCode: Int32? = nil
    ) -> Self {
        guard status >= 200 else {
            return Self(
                .cannotConnectToHost,
                message: """
                    the proxy \(proxy) did not open a tunnel: it sent the interim response \(status) \
                    to CONNECT, which libcurl takes for the final one; configure the proxy to send none
                    """,
                curlCode: curlCode
            )
        }
        let reason =
            status != 407
            ? ""
            : hasLogin
                ? ": it did not accept the login"
                : ": it requires a login, and none was sent"
        return Self(
            status == 407 ? .userAuthenticationRequired : .cannotConnectToHost,
            message: "the proxy \(proxy) refused to open a tunnel with status \(status)\(reason)",
            curlCode: curlCode,
            proxyStatus: status
        )
    }

    fileprivate static func tunnelResponseMalformed(of proxy: Exchange.Route.Proxy) -> Self {
        Self(
            .cannotConnectToHost,
            message: "the proxy \(proxy) did not open a tunnel: its response is not valid HTTP/1"
        )
    }

    fileprivate static func tunnelResponseTooLong(of proxy: Exchange.Route.Proxy) -> Self {
        Self(
            .cannotConnectToHost,
            message: "the proxy \(proxy) did not open a tunnel: its response is too long"
        )
    }
}
