import Glibc

/// A failed call on a client socket, as the `errno` it gave.
struct ClientSocketError: Error, Equatable {
    let code: Int32
}

/// A blocking TCP connection to a server on 127.0.0.1.
///
/// Reads give up after a generous limit, so that a fault in the server fails a test instead of
/// hanging it.
final class ClientSocket {
    private static let timeout = timeval(tv_sec: 30, tv_usec: 0)

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = Self.timeout
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw ClientSocketError(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw ClientSocketError(code: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    func shutDownSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads exactly this many bytes; fewer only at the end of the stream.
    func read(_ count: Int) throws -> [UInt8] {
        while received.count < count, try receiveMore() {}
        let taken = Array(received.prefix(count))
        received.removeFirst(taken.count)
        return taken
    }

    /// Reads up to and including the delimiter.
    func read(through delimiter: String) throws -> String {
        let pattern = Array(delimiter.utf8)
        while true {
            if received.count >= pattern.count {
                for end in pattern.count...received.count
                where received[(end - pattern.count)..<end].elementsEqual(pattern) {
                    return String(decoding: try read(end), as: UTF8.self)
                }
            }
            guard try receiveMore() else { return String(decoding: received, as: UTF8.self) }
        }
    }

    func readToEnd() throws -> [UInt8] {
        while try receiveMore() {}
        defer { received = [] }
        return received
    }

    private func receiveMore() throws -> Bool {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { throw ClientSocketError(code: errno) }
            received += buffer[..<count]
            return count > 0
        }
    }
}
