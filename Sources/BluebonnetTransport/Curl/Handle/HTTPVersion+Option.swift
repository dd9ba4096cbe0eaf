import CBluebonnet

extension Exchange.HTTPVersion {
    /// Returns the value of `CURLOPT_HTTP_VERSION` for a scheme with the libcurl of this process.
    func option(isSecure: Bool) -> Int {
        switch self {
        case .http1: CURL_HTTP_VERSION_1_1
        case .automatic where !LibcurlQuirks.current.speaksHTTP2: CURL_HTTP_VERSION_1_1
        case .automatic, .http2: isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        case .http2PriorKnowledge:
            isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        }
    }
}
