import CBluebonnet

extension Exchange.HTTPVersion {
    /// Returns the value of `CURLOPT_HTTP_VERSION` for a scheme with the libcurl of this process.
    func option(isSecure: Bool) -> Int {
        switch self {
        case .http1: bb_http_version_1_1
        case .automatic where !LibcurlQuirks.current.speaksHTTP2: bb_http_version_1_1
        case .automatic, .http2: isSecure ? bb_http_version_2_over_tls : bb_http_version_1_1
        case .http2PriorKnowledge:
            isSecure ? bb_http_version_2_over_tls : bb_http_version_2_prior_knowledge
        }
    }
}
