import Foundation

extension Exchange.Head {
    /// Whether the body comes in chunks, which tell where it ends.
    ///
    /// "identity" is no coding, and has been none since RFC 7230, so it tells nothing of the end, and
    /// changes nothing beside "chunked", as libcurl takes it.
    var isChunked: Bool {
        block.values(of: .transferEncoding).contains { value in
            value.split(separator: ",").contains {
                $0.trimmingCharacters(in: .whitespaces).caseInsensitiveEquals("chunked")
            }
        }
    }

    /// Whether another reader could look for the response's end elsewhere, so that what follows on
    /// the connection might be taken for a response (RFC 9112 sections 6.1 and 6.3).
    func isEndDisputable(in version: HeadParser.Version?) -> Bool {
        guard version != .http2 else { return false }
        let isCoded = block.has(.transferEncoding)
        // There is no body, and yet one is announced.
        if statusCode == 204 { return isCoded || declaredLength ?? 0 > 0 }
        guard isCoded else { return false }
        let codings = block.values(of: .transferEncoding)
        return declaredLength != nil || version == .http10 || codings.count != 1
            || !codings.allSatisfy { $0.caseInsensitiveEquals("chunked") }
    }
}
