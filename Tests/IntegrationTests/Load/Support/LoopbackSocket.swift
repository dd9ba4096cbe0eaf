import Glibc

/// Blocking sockets on 127.0.0.1.
enum LoopbackSocket {
    /// A listening socket and its port.
    static func listen(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = make()
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withGeneric(&address) { generic in
            bind(descriptor, generic, size) == 0 && Glibc.listen(descriptor, backlog) == 0
                && getsockname(descriptor, generic, &size) == 0
        }
        guard isListening else {
            close(descriptor)
            throw ServerFailure("no port to listen on: \(String(cString: strerror(errno)))")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func connect(_ port: UInt16) -> Int32? {
        let descriptor = make()
        if begin(descriptor, port) { return descriptor }
        close(descriptor)
        return nil
    }

    /// Begins to connect; whether that is done, which a socket that does not wait never says.
    @discardableResult
    static func begin(_ descriptor: Int32, _ port: UInt16) -> Bool {
        var address = loopback(port)
        return withGeneric(&address) {
            Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }

    static func make(waits: Bool = true) -> Int32 {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        return socket(AF_INET, Int32(waits ? kind : kind | SOCK_NONBLOCK.rawValue), 0)
    }

    /// What has come; nil at the end.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all of it; false when the other side has gone.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = send(
                    descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}

/// A listening socket whose queue is full, so that the kernel drops what else wants to connect.
final class FullListener: Sendable {
    let port: UInt16
    private let descriptors: [Int32]

    init() throws {
        let listener = try LoopbackSocket.listen(backlog: 0)
        port = listener.port
        descriptors =
            [listener.descriptor]
            + (0..<4).map { _ in
                let client = LoopbackSocket.make(waits: false)
                LoopbackSocket.begin(client, listener.port)
                return client
            }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
