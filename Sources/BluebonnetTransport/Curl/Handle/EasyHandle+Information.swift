import CBluebonnet
import Glibc

// Information from libcurl about the exchange that a handle serves or has just served.
extension EasyHandle {
    /// Whether the handle can serve another exchange.
    ///
    /// It cannot after a system error, because libcurl never clears the last one.
    var isReusable: Bool { number(CURLINFO_OS_ERRNO) == 0 }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = bb_easy_get_long(easy, info, &value)
        return value
    }

    func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = bb_easy_get_offset(easy, info, &value)
        return Int64(value)
    }

    /// Returns the address of the last connection, or nil if it is unknown.
    func peerAddress(like other: PeerAddress) -> PeerAddress? {
        guard let address = text(CURLINFO_PRIMARY_IP).flatMap({ IPAddress(cString: $0) }),
            let port = UInt16(exactly: number(CURLINFO_PRIMARY_PORT)), port != 0
        else { return nil }
        return PeerAddress(address, port: port, like: other)
    }

    fileprivate func text(_ info: CURLINFO) -> UnsafePointer<CChar>? {
        var value: UnsafeMutablePointer<CChar>?
        _ = bb_easy_get_string(easy, info, &value)
        return value.map { UnsafePointer($0) }
    }
}

/// A text that libcurl reports for each exchange, and that is usually the same as the last time.
struct RepeatedText {
    private var bytes: [CChar] = [0]
    private var text = ""

    /// Returns the current text, and reuses the last string if it is the same.
    mutating func of(_ handle: EasyHandle, _ info: CURLINFO) -> String {
        guard let value = handle.text(info) else { return "" }
        guard strcmp(value, bytes) != 0 else { return text }
        bytes = Array(UnsafeBufferPointer(start: value, count: strlen(value) + 1))
        text = String(cString: value)
        return text
    }
}
