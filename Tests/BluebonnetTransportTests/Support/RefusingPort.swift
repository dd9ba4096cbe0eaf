import Glibc

/// A port of 127.0.0.1 that refuses every connection, and that no other socket of the machine can
/// get as long as this exists.
final class RefusingPort {
    struct Failure: Error {
        let errorNumber = errno
    }

    let number: UInt16
    private let descriptor: Int32

    init() throws {
        // Bound but not listening: the kernel answers with a reset, and gives the port to nobody.
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0
                    ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard result == 0 else {
            let failure = Failure()
            close(descriptor)
            throw failure
        }
        number = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    var baseURL: String { "http://127.0.0.1:\(number)" }
}
