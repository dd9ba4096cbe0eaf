import CBluebonnet

// What libcurl can be asked about the exchange that a handle serves, or has just served.
extension EasyHandle {
    /// Whether it may serve another exchange: libcurl never forgets the system's last error.
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

    func text(_ info: CURLINFO) -> String {
        var value: UnsafeMutablePointer<CChar>?
        _ = bb_easy_get_string(easy, info, &value)
        return value.map { String(cString: $0) } ?? ""
    }
}
