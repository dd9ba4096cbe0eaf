import CBluebonnet

/// The properties in which versions of libcurl differ, by name.
///
/// A workaround asks for a property here. Nothing else compares version numbers.
package struct LibcurlQuirks: Sendable {
    /// The properties of the libcurl that this process has loaded.
    package static let current = LibcurlQuirks(
        version: (try? LibcurlVersion.running.get().number) ?? 0,
        isBuiltWithHTTP2: LibcurlVersion.isBuiltWithHTTP2)

    /// Whether HTTP/2 is used at all.
    ///
    /// Before 8.14, libcurl can hang exchanges, truncate responses, lose windows with canceled
    /// streams, and read floods of frames without returning.
    package let speaksHTTP2: Bool

    /// Whether a used handle writes through a pointer to a freed header field when the first line
    /// of the next head begins with white space (before 8.1).
    let keepsPointerToFreedField: Bool

    /// Whether the end of each exchange searches all cached addresses for old ones (before 8.0).
    let searchesOldAddresses: Bool

    /// Whether libcurl waits 200 ms after an address that fails at once, and sometimes never tries
    /// the next one (before 8.14).
    let delaysNextAddress: Bool

    /// Whether libcurl reads on in a pause that immediately follows another one (before 8.14).
    ///
    /// It joins the lines that it reads together, and the check of the first header field comes too
    /// late.
    let readsOnInPauses: Bool

    /// Whether libcurl percent-decodes the login for a proxy (before 8.8).
    let decodesProxyLogin: Bool

    /// Whether `CURLINFO_REQUEST_SIZE` counts the bytes of every body (from 8.7 on), and not only
    /// of a body that was sent with the head.
    let countsBodyInRequestSize: Bool

    /// Whether `CURLINFO_POSTTRANSFER_TIME_T` is available (from 8.10 on).
    let measuresEndOfRequest: Bool

    /// Whether `CURLINFO_SIZE_DOWNLOAD_T` counts the framing of chunks that are passed on undecoded
    /// (from 8.14 on), and not only their data.
    let countsChunkFraming: Bool

    /// Whether libcurl puts a message into the error buffer for every failure to receive over
    /// HTTP/2, except if the server refused the stream (8.14).
    ///
    /// `FaultMatrixTests` checks that no other end of a connection looks like a refusal. In a version
    /// that was not checked, a request could otherwise be sent again that was processed.
    let isSilentAboutRefusedStreams: Bool

    /// Whether libcurl does not notice the end of a connection while it sends a request's body
    /// (before 8.14).
    package let ignoresEndWhileSending: Bool

    /// Whether child processes inherit the sockets with which libcurl wakes itself (before 8.14).
    package let leavesWakeupSocketsOpen: Bool

    /// Creates the properties of a version, given as 0xXXYYZZ.
    init(version: UInt32, isBuiltWithHTTP2: Bool = true) {
        speaksHTTP2 = isBuiltWithHTTP2 && version >= 0x080E00
        keepsPointerToFreedField = version < 0x080100
        searchesOldAddresses = version < 0x080000
        delaysNextAddress = version < 0x080E00
        readsOnInPauses = version < 0x080E00
        decodesProxyLogin = version < 0x080800
        countsBodyInRequestSize = version >= 0x080700
        measuresEndOfRequest = version >= 0x080A00
        countsChunkFraming = version >= 0x080E00
        isSilentAboutRefusedStreams = (0x080E00..<0x080F00).contains(version)
        ignoresEndWhileSending = version < 0x080E00
        leavesWakeupSocketsOpen = version < 0x080E00
    }

    /// Throws if libcurl does not support the HTTP version that a pool asks for.
    func check(_ version: Exchange.HTTPVersion) throws(Exchange.Failure) {
        switch version {
        case .automatic, .http1: return
        case .http2, .http2PriorKnowledge:
            guard speaksHTTP2 else { throw .http2NotSupported }
        }
    }
}

extension Exchange.Failure {
    fileprivate static var http2NotSupported: Self {
        let text = (try? LibcurlVersion.running.get().text) ?? "unknown"
        return .unusableLibrary(
            """
            HTTP/2 needs libcurl 8.14 or newer, built with HTTP/2, but this process has loaded \
            libcurl \(text); install libcurl4 from Debian 13 or from Debian 12's backports \
            (bookworm-backports), or leave the session's httpVersion at .automatic
            """
        )
    }
}
