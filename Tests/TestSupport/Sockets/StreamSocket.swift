import Glibc

/// The calls of tests and tools on the descriptor of a stream socket.
package enum StreamSocket {
    package static func make(family: Int32 = AF_INET, waits: Bool = true) -> Int32 {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        return socket(family, Int32(waits ? kind : kind | SOCK_NONBLOCK.rawValue), 0)
    }

    /// Returns a connection to an address, or nil if that fails.
    package static func connect(to address: SocketAddress) -> Int32? {
        let descriptor = make(family: address.family)
        if begin(descriptor, to: address) { return descriptor }
        close(descriptor)
        return nil
    }

    /// Starts to connect.
    ///
    /// Returns false and leaves `errno`, unless the connection is established at once.
    @discardableResult
    package static func begin(_ descriptor: Int32, to address: SocketAddress) -> Bool {
        address.passed(to: Glibc.connect, of: descriptor)
    }

    /// Returns the available bytes, at least one, or nil at the end of the stream.
    package static func read(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all bytes.
    ///
    /// Returns false and leaves `errno` if the other side has disconnected.
    @discardableResult
    package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
        Array(bytes).withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}
