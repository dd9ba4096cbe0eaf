import CBluebonnet

/// The scheme, host and port of a URL as libcurl parses them, and to which it connects.
package struct URLAuthority: Equatable {
    /// The scheme in lowercase.
    package let scheme: String
    /// The host in lowercase, with an IPv6 address without brackets and zone.
    ///
    /// All numeric forms of an IPv4 address are converted to the usual form.
    package let hostText: String
    /// The port of the URL, or the default port of its scheme.
    package let port: Int
    /// The host and port to send to a proxy that opens a tunnel (RFC 9112 section 3.2.3).
    package let tunnelTarget: String

    /// Parses a URL, or returns nil if libcurl does not accept it.
    package init?(of url: String) {
        // Initializing libcurl sets its memory functions, which must not be in use at that time.
        _ = LibcurlInitialization.result
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

    /// The name or address to which libcurl connects.
    var host: URLHost { URLHost(libcurlText: hostText) }
}
