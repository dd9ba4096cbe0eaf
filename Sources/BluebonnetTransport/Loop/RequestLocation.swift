import CBluebonnet

/// The URL of an easy handle's exchange, parsed.
///
/// A handle that is given the URL as text parses it for each exchange, also when it is the one of the
/// exchange before, and puts it together again. It lives on the loop thread.
final class RequestLocation {
    private let parsed: OpaquePointer
    private var text: String?
    private var isGivenAsText = true

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

    func set(_ url: String, on easy: UnsafeMutableRawPointer) -> CURLcode {
        guard url != text else { return CURLE_OK }
        text = nil
        switch curl_url_set(parsed, CURLUPART_URL, url, Self.flags) {
        case CURLUE_OK: break
        case CURLUE_OUT_OF_MEMORY: return CURLE_OUT_OF_MEMORY
        case CURLUE_USER_NOT_ALLOWED: return CURLE_LOGIN_DENIED
        case CURLUE_UNSUPPORTED_SCHEME: return CURLE_UNSUPPORTED_PROTOCOL
        default: return CURLE_URL_MALFORMAT
        }
        let result = hasZone ? give(url, to: easy) : giveParsed(to: easy)
        if result == CURLE_OK { text = url }
        return result
    }

    /// Whether the host is an address of one network interface.
    private var hasZone: Bool {
        var zone: UnsafeMutablePointer<CChar>?
        let result = curl_url_get(parsed, CURLUPART_ZONEID, &zone, 0)
        curl_free(zone)
        return result != CURLUE_NO_ZONEID
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
