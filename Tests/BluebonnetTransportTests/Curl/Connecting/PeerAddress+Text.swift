import CBluebonnet
import Glibc

@testable import BluebonnetTransport

extension PeerAddress {
    /// Port 80 of an address in digits, as libcurl would name it.
    init(_ text: String) {
        var target = curl_sockaddr()
        target.socktype = Int32(SOCK_STREAM.rawValue)
        target.protocol = Int32(IPPROTO_TCP)
        // The field's type is too short for the bytes of an IPv6 address; libcurl has room for them.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 256)
        let place = memory.bindMemory(to: curl_sockaddr.self, capacity: 1)
        place.initialize(to: target)
        if text.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(80).bigEndian
            inet_pton(AF_INET6, text, &address.sin6_addr)
            place.pointee.family = AF_INET6
            place.pointee.addrlen = UInt32(MemoryLayout<sockaddr_in6>.size)
            bb_socket_mutable_address(place).copyMemory(
                from: &address, byteCount: MemoryLayout<sockaddr_in6>.size)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(80).bigEndian
            inet_pton(AF_INET, text, &address.sin_addr)
            place.pointee.family = AF_INET
            place.pointee.addrlen = UInt32(MemoryLayout<sockaddr_in>.size)
            bb_socket_mutable_address(place).copyMemory(
                from: &address, byteCount: MemoryLayout<sockaddr_in>.size)
        }
        self.init(place)
    }
}
