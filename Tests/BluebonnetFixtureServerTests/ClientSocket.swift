import BluebonnetTestSupport
import Glibc

/// A failed call on a client socket, with its `errno`.
struct ClientSocketError: Error, Equatable {
    let code: Int32
}

/// A blocking TCP connection to a server on 127.0.0.1.
///
/// Reads have a generous time limit, so that a bug in the server fails a test and does not hang it.
final class ClientSocket {
    private static let timeout = timeval(tv_sec: 30, tv_usec: 0)

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = StreamSocket.make()
        var timeout = Self.timeout
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard StreamSocket.begin(descriptor, to: .loopback(port)) else {
            throw ClientSocketError(code: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        guard StreamSocket.write(bytes, to: descriptor) else {
            throw ClientSocketError(code: errno)
        }
    }

    func shutDownSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads exactly this many bytes, or fewer at the end of the stream.
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
