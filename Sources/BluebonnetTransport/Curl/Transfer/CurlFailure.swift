import CBluebonnet
import Foundation
import FoundationNetworking

extension Exchange.Failure {
    /// Creates the failure for a libcurl result.
    ///
    /// Some results have a different meaning while the response's head is awaited.
    init(
        result: CURLcode,
        detail: String,
        systemErrorNumber: Int32,
        isHeadAwaited: Bool = false
    ) {
        let fallback = String(cString: curl_easy_strerror(result))
        let refusal = ClientCertificateRefusal(in: detail)
        let malformedPart = Self.malformedPart(result, detail, isHeadAwaited: isHeadAwaited)
        self.init(
            refusal?.code ?? malformedPart.map { _ in .badServerResponse } ?? Self.code(of: result),
            message: refusal?.message(detail) ?? (detail.isEmpty ? fallback : detail),
            curlCode: Int32(result.rawValue),
            systemErrorNumber: systemErrorNumber == 0 ? nil : systemErrorNumber,
            // No other timeout is set in libcurl.
            timeout: result == CURLE_OPERATION_TIMEDOUT ? .connect : nil
        )
        self.malformedPart = malformedPart
    }

    /// Returns the part of the response that libcurl itself found malformed, or nil for none.
    private static func malformedPart(
        _ result: CURLcode, _ detail: String, isHeadAwaited: Bool
    ) -> MalformedPart? {
        if result == CURLE_WEIRD_SERVER_REPLY { return .head }
        if isHeadAwaited, result == CURLE_UNSUPPORTED_PROTOCOL { return .statusLine }
        if isHeadAwaited { return resultsOfBadHeads.contains(result.rawValue) ? .head : nil }
        // All versions report this text, with the result for a lost connection.
        return result == CURLE_RECV_ERROR && detail.hasSuffix("in chunked-encoding") ? .chunk : nil
    }

    /// The results for a line that is too long, a line without a name, and an unsolicited transfer
    /// coding.
    private static let resultsOfBadHeads = Set(
        [
            CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_BAD_CONTENT_ENCODING,
            bb_result_too_large,
        ].map(\.rawValue)
    )

    private static func code(of result: CURLcode) -> URLError.Code {
        switch result {
        case CURLE_UNSUPPORTED_PROTOCOL: .unsupportedURL
        case CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY: .cannotConnectToHost
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .serverCertificateUntrusted
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
            .secureConnectionFailed
        case CURLE_SSL_CERTPROBLEM: .clientCertificateRejected
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            .networkConnectionLost
        case CURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
        case CURLE_WEIRD_SERVER_REPLY: .badServerResponse
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        default: .unknown
        }
    }
}

extension Exchange.Failure {
    static func refusedExchange(_ result: CURLMcode) -> Self {
        Self(
            .unknown,
            message: "libcurl refused the exchange: \(String(cString: curl_multi_strerror(result)))"
        )
    }

    static func stopped(_ result: CURLMcode) -> Self {
        Self(
            .unknown,
            message: """
                libcurl could not continue with the connections of this pool: \
                \(String(cString: curl_multi_strerror(result))) (\(result.rawValue)); \
                the next exchange opens new ones
                """)
    }
}
