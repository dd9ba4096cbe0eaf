import CBluebonnet
import Foundation
import FoundationNetworking

/// How far a proxy's answer to CONNECT is, as far as it must be known.
///
/// libcurl reads that answer, and the body of a refusal, byte by byte for as long as any come, and
/// calls nobody but with the lines of the head. So a refusal ends the exchange with its head, and a
/// head may not be long. It lives on the loop thread.
final class TunnelResponse {
    private static let largestHead = 8 * 1024

    private var size = 0
    private var status: Int?
    private var isFirstField = false
    /// Reads the head of a refusal; nil for other answers, and where it is malformed.
    private var refusal: HeadReader?

    /// A parser's place, which an optional has none for.
    private final class HeadReader {
        private var parser = HeadParser(limits: Exchange.Limits(headSize: largestHead))

        /// The fields of a head that the line has made whole; empty before.
        func take(_ line: UnsafeRawBufferPointer) throws(Exchange.Failure) -> [Exchange.Field] {
            guard case .head(let head) = try parser.take(line) else { return [] }
            return head.fields
        }
    }

    /// What became of the tunnel with a line.
    enum Event {
        case statusLine, more, foldedFirstField, malformed, tooLong
        case refused(status: Int, [Exchange.Field])
    }

    /// Takes a line for the exchange of a handle; false where there is no proxy to send one.
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

    /// Takes one line, its line end included.
    ///
    /// libcurl takes other lines for a status too, in other places, and this must not see another one
    /// than libcurl.
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
        // So it is to libcurl, whatever follows.
        let isEnd = line.first == 0x0D || line.first == 0x0A
        let fields = readRefusal(line)
        return isEnd && status >= 300 ? .refused(status: status, fields) : .more
    }

    /// Returns the fields of a refusal whose head the line has made whole.
    private func readRefusal(_ line: UnsafeRawBufferPointer) -> [Exchange.Field] {
        do throws(Exchange.Failure) {
            return try refusal?.take(line) ?? []
        } catch {
            // Its status alone counts then.
            refusal = nil
            return []
        }
    }

    /// The three digits of `HTTP/1.1 200`; nil for a line that only resembles one.
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
                    the proxy \(proxy) opened no tunnel: it sent the interim response \(status) to CONNECT, \
                    which libcurl takes for the answer; have the proxy send none
                    """,
                curlCode: curlCode
            )
        }
        let reason =
            status != 407
            ? ""
            : hasLogin
                ? ": it did not accept the login that it was sent"
                : ": it wants a login, and was sent none"
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
            message: "the proxy \(proxy) opened no tunnel: its answer is no response of HTTP/1"
        )
    }

    fileprivate static func tunnelResponseTooLong(of proxy: Exchange.Route.Proxy) -> Self {
        Self(
            .cannotConnectToHost,
            message: "the proxy \(proxy) opened no tunnel: its answer is too long"
        )
    }
}
