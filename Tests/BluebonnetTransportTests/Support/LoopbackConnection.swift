import Glibc

/// A connection to a port of this machine.
func connect(to port: UInt16) -> Int32? {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, size) }
    }
    guard result == 0 else {
        close(socket)
        return nil
    }
    return socket
}
