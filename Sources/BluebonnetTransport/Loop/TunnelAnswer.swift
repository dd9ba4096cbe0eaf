import CBluebonnet
import Foundation
import FoundationNetworking

/// How far a proxy's answer to CONNECT is, as far as it must be known.
///
/// libcurl reads that answer, and the body of a refusal, byte by byte for as long as any come, and
/// calls nobody but with the lines of the head. So a refusal ends the exchange with its head, and a
/// head may not be long.
struct TunnelAnswer {
    private static let largestHead = 8 * 1024

    private var size = 0
    private var status = 0
    private var isFirstField = false

    /// What became of the tunnel with a line.
    enum Event {
        case statusLine, more, foldedFirstField, tooLong
        case refused(status: Int)
    }

    /// Takes one line, its line end included.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
        size += line.count
        guard size <= Self.largestHead else { return .tooLong }
        if isFirstField, line.first?.isFieldWhiteSpace == true { return .foldedFirstField }
        isFirstField = false
        if line.starts(with: "HTTP/".utf8) {
            let code = line.drop { $0 != 0x20 }.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
            status = Int(String(decoding: code, as: UTF8.self)) ?? 0
            isFirstField = true
            return .statusLine
        }
        let isEnd = line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
        return isEnd && status >= 300 ? .refused(status: status) : .more
    }
}

extension CurlTransfer {
    func receiveTunnelLine(_ line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = loop.now
        guard let handle, let proxy = handle.proxy, let event = tunnelAnswer?.take(line) else {
            return false
        }
        do throws(Exchange.Failure) {
            try handle.endLookAtFirstField()
            switch event {
            case .statusLine: try handle.lookAtFirstField()
            case .more: break
            case .foldedFirstField: throw .foldedFirstField
            case .refused(let status): throw .tunnelRefused(by: proxy, status: status)
            case .tooLong: throw .tunnelAnswerTooLong(of: proxy)
            }
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }
}

extension Exchange.Failure {
    static func tunnelRefused(
        by proxy: Exchange.Route.Proxy,
        status: Int,
        curlCode: Int32? = nil
    ) -> Self {
        Self(
            status == 407 ? .userAuthenticationRequired : .cannotConnectToHost,
            message: "the proxy \(proxy) refused to open a tunnel with status \(status)",
            curlCode: curlCode,
            proxyStatus: status
        )
    }

    fileprivate static func tunnelAnswerTooLong(of proxy: Exchange.Route.Proxy) -> Self {
        Self(
            .cannotConnectToHost,
            message: "the proxy \(proxy) opened no tunnel: its answer is too long"
        )
    }
}
