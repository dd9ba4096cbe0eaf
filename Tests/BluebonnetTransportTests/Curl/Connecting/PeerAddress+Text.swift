import CBluebonnet
import Glibc

@testable import BluebonnetTransport

extension PeerAddress {
    /// Creates an address with port 80 from its text, like libcurl, or 0.0.0.0 for invalid text.
    init(_ text: String) {
        let ipAddress = IPAddress(text) ?? IPAddress(UInt32(0))
        var target = curl_sockaddr()
        target.socktype = Int32(SOCK_STREAM.rawValue)
        target.protocol = Int32(IPPROTO_TCP)
        self.init(ipAddress, port: 80, like: PeerAddress(&target))
    }
}
