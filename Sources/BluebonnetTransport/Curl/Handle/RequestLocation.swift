import CBluebonnet
import Glibc

/// The URL of an easy handle's exchange, parsed.
///
/// A handle that is given the URL as text parses it for each exchange, also when it is the one of the
/// exchange before, and puts it together again. `CURLINFO_EFFECTIVE_URL` means nothing with it: old
/// libcurls keep the first URL there. It lives on the loop thread.
final class RequestLocation {
    private let parsed: OpaquePointer
    private var text: String?
    private var isGivenAsText = true
    /// The number of the network interface that the host's address belongs to; 0 for any.
    private(set) var interfaceIndex: UInt32 = 0

    init?() {
        guard let parsed = curl_url() else { return nil }
        self.parsed = parsed
    }

    deinit {
        curl_url_cleanup(parsed)
    }

    /// As the options `CURLOPT_PATH_AS_IS` and `CURLOPT_DISALLOW_USERNAME_IN_URL` would have it.
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
        // Others may be equal to it without being the same bytes.
        if url.utf8.allSatisfy({ $0 < 0x80 }) { text = url }
    }

    /// The network interface that the host's address belongs to; nil for any.
    private var zone: String? {
        var zone: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsed, CURLUPART_ZONEID, &zone, 0) != CURLUE_NO_ZONEID else {
            return nil
        }
        defer { curl_free(zone) }
        return zone.map { String(cString: $0) } ?? ""
    }

    /// libcurl works on a copy of what is parsed, and older ones leave the zone out of it.
    private func give(_ url: String, to easy: UnsafeMutableRawPointer) -> CURLcode {
        let result = bb_easy_set_pointer(easy, CURLOPT_CURLU, nil)
        isGivenAsText = true
        // Not passed as a string, of which Swift would make a copy first.
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
            result: result, detail: "libcurl does not take the URL: \(reason)", systemErrorNumber: 0
        )
    }
}
