import CBluebonnet

/// Scheme, host and port of a URL as libcurl reads them, which is where it connects to.
package struct URLAuthority: Equatable {
    /// In lower case.
    package let scheme: String
    /// In lower case, an IPv6 address without brackets and zone; numbers that mean an IPv4 address as that.
    package let hostText: String
    /// That of the scheme where the URL has none.
    package let port: Int
    /// What a proxy is asked to open a tunnel to, host and port as they are sent (RFC 9112 section
    /// 3.2.3).
    package let tunnelTarget: String

    /// Nil for what libcurl does not take for a URL.
    package init?(of url: String) {
        // Initializing libcurl sets its memory functions, which nobody may be using then.
        _ = LibcurlVersion.running
        guard let parsed = curl_url() else { return nil }
        defer { curl_url_cleanup(parsed) }
        guard curl_url_set(parsed, CURLUPART_URL, url, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK,
            let scheme = Self.text(CURLUPART_SCHEME, of: parsed),
            let host = Self.text(CURLUPART_HOST, of: parsed),
            let port = Self.text(CURLUPART_PORT, of: parsed).flatMap({ Int($0) })
        else { return nil }
        self.scheme = scheme.lowercased()
        hostText = host.lowercased()[...].withoutBrackets.description
        self.port = port
        tunnelTarget = "\(host):\(port)"
    }

    private static func text(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text
        else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// The host as what it is connected to.
    var host: URLHost { URLHost(libcurlText: hostText) }
}
