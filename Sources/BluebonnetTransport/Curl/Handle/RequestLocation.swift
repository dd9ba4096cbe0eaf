import CBluebonnet
import Glibc

/// The parsed URL of an easy handle's exchange.
///
/// If it got the URL as text, libcurl would parse it for each exchange, even if it has not changed,
/// and put it together again. With a parsed URL, `CURLINFO_EFFECTIVE_URL` is meaningless, because
/// old versions of libcurl keep the first URL there. Used only on the loop thread.
final class RequestLocation {
    private let parsed: OpaquePointer
    private var text: String?
    private var isGivenAsText = true
    /// The index of the network interface that the host's address belongs to, or 0 for any.
    private(set) var interfaceIndex: UInt32 = 0

    init?() {
        guard let parsed = curl_url() else { return nil }
        self.parsed = parsed
    }

    deinit {
        curl_url_cleanup(parsed)
    }

    /// The flags that correspond to `CURLOPT_PATH_AS_IS` and `CURLOPT_DISALLOW_USERNAME_IN_URL`.
    private static let flags = UInt32(
        CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)

    func set(_ url: String, on easy: UnsafeMutableRawPointer) throws(Exchange.Failure) {
        guard url != text else { return }
        text = nil
        let fault = url.withCString { curl_url_set(parsed, CURLUPART_URL, $0, Self.flags) }
        guard fault == CURLUE_OK else { throw .refusedURL(fault) }
        let zone = zone
        interfaceIndex = zone.map { UInt32($0) ?? if_nametoindex($0) } ?? 0
        let result = zone == nil ? giveParsed(to: easy) : give(url, to: easy)
        guard result == CURLE_OK else { throw .refusedOption(result) }
        // In Swift, strings that are not ASCII can be equal although their bytes differ.
        if url.utf8.allSatisfy({ $0 < 0x80 }) { text = url }
    }

    /// The name or index of the host address's network interface, or nil for any.
    private var zone: String? {
        var zone: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsed, CURLUPART_ZONEID, &zone, 0) != CURLUE_NO_ZONEID else {
            return nil
        }
        defer { curl_free(zone) }
        return zone.map { String(cString: $0) } ?? ""
    }

    /// Sets the URL as text.
    ///
    /// libcurl works on a copy of a parsed URL, and older versions leave the zone out of the copy.
    private func give(_ url: String, to easy: UnsafeMutableRawPointer) -> CURLcode {
        let result = bb_easy_set_pointer(easy, CURLOPT_CURLU, nil)
        isGivenAsText = true
        // Swift would copy the URL if it were passed as a string.
        return result == CURLE_OK
            ? url.withCString { bb_easy_set_string(easy, CURLOPT_URL, $0) } : result
    }

    private func giveParsed(to easy: UnsafeMutableRawPointer) -> CURLcode {
        guard isGivenAsText else { return CURLE_OK }
        let result = bb_easy_set_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(parsed))
        isGivenAsText = result != CURLE_OK
        return result
    }
}

extension Exchange.Failure {
    fileprivate static func refusedURL(_ fault: CURLUcode) -> Self {
        let result =
            switch fault {
            case CURLUE_OUT_OF_MEMORY: CURLE_OUT_OF_MEMORY
            case CURLUE_USER_NOT_ALLOWED: CURLE_LOGIN_DENIED
            case CURLUE_UNSUPPORTED_SCHEME: CURLE_UNSUPPORTED_PROTOCOL
            default: CURLE_URL_MALFORMAT
            }
        let reason = String(cString: curl_url_strerror(fault))
        return Self(
            result: result, detail: "libcurl rejected the URL: \(reason)", systemErrorNumber: 0
        )
    }
}
