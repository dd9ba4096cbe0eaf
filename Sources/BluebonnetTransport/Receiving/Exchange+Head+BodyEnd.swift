import Foundation

extension Exchange.Head {
    /// Whether the body is chunked, so that its last chunk marks the end.
    ///
    /// "identity" has not been a coding since RFC 7230. It does not mark an end, and next to
    /// "chunked" it changes nothing, as in libcurl.
    var isChunked: Bool {
        block.values(of: .transferEncoding).contains { value in
            value.split(separator: ",").contains {
                String($0.trimmed).caseInsensitiveEquals("chunked")
            }
        }
    }

    /// Returns whether another recipient could find the end of the response elsewhere.
    ///
    /// If so, later bytes on the connection could be taken for a response (RFC 9112 sections 6.1
    /// and 6.3).
    func isEndDisputable(in version: HeadParser.Version?) -> Bool {
        guard version != .http2 else { return false }
        let isCoded = block.has(.transferEncoding)
        // The response has no body but announces one.
        if statusCode == 204 { return isCoded || declaredLength ?? 0 > 0 }
        guard isCoded else { return false }
        let codings = block.values(of: .transferEncoding)
        return declaredLength != nil || version == .http10 || codings.count != 1
            || !codings.allSatisfy { $0.caseInsensitiveEquals("chunked") }
    }
}
