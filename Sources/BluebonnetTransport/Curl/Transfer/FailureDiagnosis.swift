import CBluebonnet
import Foundation
import FoundationNetworking
import Glibc

/// The reason why libcurl ended an exchange without a complete response.
struct FailureDiagnosis {
    let result: CURLcode
    /// The handle of the exchange, or nil if libcurl never had it.
    let handle: EasyHandle?
    let url: String
    let request: RequestSender
    let hasHead: Bool
    /// The system's error number if it could not open a socket, or 0.
    let socketErrorNumber: Int32
    let addressCheck: AddressCheck?
    /// The last race to connect, or nil if there was none.
    let race: AddressRace?
    /// The server's request for a client certificate, or nil for none.
    var certificateRequest: ClientCertificateRequest?
    /// The failure of the connect timeout, which libcurl enforces, or nil if it did not expire.
    var connectTimeout: Exchange.Failure?

    /// The failure of the exchange.
    var failure: Exchange.Failure {
        let denial = addressCheck?.denial
        if let denial, addressCheck?.hasAllowedAddress == false { return denial.failure }
        var failure =
            connectTimeoutFailure ?? socketFailure ?? raceFailure ?? proxyFailure
            ?? certificateFailure
            ?? clientCertificateFailure ?? shortageFailure ?? advisedFailure
        if let denial { failure.message += "; in addition, \(denial)" }
        return failure
    }

    /// The failure if the connect timeout expired, with the step that libcurl names.
    private var connectTimeoutFailure: Exchange.Failure? {
        guard var failure = connectTimeout else { return nil }
        failure.curlCode = Int32(result.rawValue)
        // Its time excludes the part that it has not measured.
        let step = handle?.errorText.split(separator: " after ").first
        if let step { failure.message += ": \(step)" }
        return failure
    }

    /// The failure if the process has run out of sockets, which libcurl does not report.
    private var socketFailure: Exchange.Failure? {
        let isOutOfSockets = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(socketErrorNumber)
        guard isOutOfSockets, result == CURLE_COULDNT_CONNECT else { return nil }
        return Exchange.Failure(
            .cannotConnectToHost,
            message: """
                no socket could be opened: \(String(cString: strerror(socketErrorNumber))); raise the \
                process's limit of open files, or lower the number of connections
                """,
            curlCode: Int32(result.rawValue),
            systemErrorNumber: socketErrorNumber
        )
    }

    /// The failure if no address could be connected to.
    private var raceFailure: Exchange.Failure? {
        guard let race, race.isLost, result == CURLE_COULDNT_CONNECT else { return nil }
        let host = URLAuthority(of: url)?.hostText ?? "the host"
        let target = handle?.proxy.map { "the proxy \($0)" } ?? host
        let isRefused = race.failures[0]?.errorNumber == ECONNREFUSED
        let advice = isRefused ? "; check that a server listens at this port" : ""
        return Exchange.Failure(
            .cannotConnectToHost,
            message: "could not connect to \(target); \(race.attempts)\(advice)",
            curlCode: Int32(result.rawValue),
            systemErrorNumber: race.failures[0]?.errorNumber
        )
    }

    /// The failure if the exchange did not get through its proxy, or nil if it did or there is
    /// none.
    private var proxyFailure: Exchange.Failure? {
        guard let handle, let proxy = handle.proxy else { return nil }
        let status = handle.number(CURLINFO_HTTP_CONNECTCODE)
        if proxy.scheme != .socks5h, status != 0, !(200..<300).contains(status) {
            return .tunnelRefused(
                by: proxy, status: status, hasLogin: handle.hasProxyLogin,
                curlCode: Int32(result.rawValue))
        }
        if result == CURLE_PROXY, handle.rejectsProxyLogin {
            return Exchange.Failure(
                .userAuthenticationRequired,
                message: "the proxy \(proxy) did not accept the login: \(handle.errorText)",
                curlCode: Int32(result.rawValue)
            )
        }
        guard request.attemptCount == 0, Self.resultsOfBrokenTunnels.contains(result.rawValue)
        else {
            return nil
        }
        return Exchange.Failure(
            .cannotConnectToHost,
            message: "the proxy \(proxy) did not open a tunnel: \(handle.errorText)",
            curlCode: Int32(result.rawValue)
        )
    }

    /// The results for a bad or missing answer from a proxy, before a request was sent.
    private static let resultsOfBrokenTunnels = Set(
        [
            CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT,
        ].map(\.rawValue)
    )

    private var certificateFailure: Exchange.Failure? {
        handle.flatMap { CertificateDiagnosis(result: result, handle: $0, url: url).failure }
    }

    /// The failure if the server refused the client certificate, or may have done so.
    private var clientCertificateFailure: Exchange.Failure? {
        guard let certificateRequest, !hasHead else { return nil }
        if var failure = certificateRequest.failure {
            failure.curlCode = Int32(result.rawValue)
            return failure
        }
        guard Self.resultsOfLostConnections.contains(result.rawValue) else { return nil }
        var failure = reportedFailure
        if failure.code == .networkConnectionLost {
            failure.message += "; \(certificateRequest.suspicion)"
        }
        return failure
    }

    private static let resultsOfLostConnections = Set(
        [CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR].map(\.rawValue))

    /// The failure if a look-up ran out of file descriptors, which libcurl does not report.
    private var shortageFailure: Exchange.Failure? {
        guard result == CURLE_COULDNT_RESOLVE_HOST || result == CURLE_COULDNT_RESOLVE_PROXY,
            let shortage = FileContents.shortage
        else { return nil }
        var failure = reportedFailure
        failure.message += ": \(shortage.explained())"
        failure.systemErrorNumber = shortage.number
        return failure
    }

    /// The failure that libcurl itself reports, with advice if it has one usual cause.
    private var advisedFailure: Exchange.Failure {
        var failure = reportedFailure
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            failure.message += "; check the host name, and the name servers of this machine"
        case CURLE_COULDNT_RESOLVE_PROXY:
            failure.message += "; check the proxy's host name, and the name servers of this machine"
        case CURLE_SSL_CONNECT_ERROR where failure.message.contains("wrong version number"):
            failure.message = """
                the server does not use TLS at this port (wrong version number): use http, or its \
                TLS port
                """
        case CURLE_PARTIAL_FILE:
            // The rest of the text depends on libcurl's version.
            if let count = failure.message.firstMatch(of: #/with (\d+) bytes/#)?.output.1 {
                failure.message = "the connection ended with \(count) bytes of the body missing"
            }
        default: break
        }
        return failure
    }

    /// The failure that libcurl itself reports.
    private var reportedFailure: Exchange.Failure {
        if handle?.hasTriedInVain(result) == true, !request.maySendAgain {
            return request.notSentAgain(curlCode: Int32(result.rawValue))
        }
        return Exchange.Failure(
            result: result,
            detail: handle?.errorText ?? "",
            systemErrorNumber: Int32(truncatingIfNeeded: handle?.number(CURLINFO_OS_ERRNO) ?? 0),
            isHeadAwaited: request.attemptCount > 0 && !hasHead
        )
    }
}

extension FailureDiagnosis {
    /// Creates a diagnosis from the state of an exchange, before its handle is released.
    init(_ result: CURLcode, of transfer: CurlTransfer) {
        self.init(
            result: result, handle: transfer.handle, url: transfer.exchange.url,
            request: transfer.request, hasHead: transfer.response.hasHead,
            socketErrorNumber: transfer.connection.socketErrorNumber,
            addressCheck: transfer.addressCheck, race: transfer.connection.new?.race,
            certificateRequest: transfer.certificateRequestInDoubt,
            connectTimeout: result == CURLE_OPERATION_TIMEDOUT
                ? transfer.failure(of: .connect) : nil)
    }
}

extension CurlTransfer {
    /// The server's request for a client certificate on a new connection that has received no
    /// response.
    fileprivate var certificateRequestInDoubt: ClientCertificateRequest? {
        handle?.number(CURLINFO_NUM_CONNECTS) == 0 || times.firstByte != nil
            ? nil : connection.certificateRequest
    }
}

extension EasyHandle {
    /// Whether a SOCKS proxy rejected the login or requires one.
    fileprivate var rejectsProxyLogin: Bool {
        let error = CURLproxycode(UInt32(truncatingIfNeeded: number(CURLINFO_PROXY_ERROR)))
        return error == CURLPX_USER_REJECTED || error == CURLPX_NO_AUTH
    }
}
