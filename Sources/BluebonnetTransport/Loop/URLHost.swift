import CBluebonnet
import Glibc

/// A URL's host as libcurl connects to it, so that `http://0x7f.1/` is the address that it means.
enum URLHost: Equatable {
    /// In lower case, without a dot at its end.
    case name(String)
    /// The 4 or 16 bytes of an IPv4 or IPv6 address.
    case address([UInt8])

    /// Nil for what libcurl does not take for a URL.
    init?(of url: String) {
        guard let parsed = curl_url() else { return nil }
        defer { curl_url_cleanup(parsed) }
        var part: UnsafeMutablePointer<CChar>?
        guard curl_url_set(parsed, CURLUPART_URL, url, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK,
            curl_url_get(parsed, CURLUPART_HOST, &part, 0) == CURLUE_OK, let part
        else { return nil }
        defer { curl_free(part) }
        let host = String(cString: part).lowercased()
        if let address = Self.address(host[...].withoutBrackets) {
            self = .address(address)
        } else {
            self = .name(String(host[...].trimmingLastDot))
        }
    }

    static func address(_ text: Substring) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }
}

extension Substring {
    var withoutBrackets: Substring {
        hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self
    }

    var trimmingLastDot: Substring { last == "." ? dropLast() : self }
}
