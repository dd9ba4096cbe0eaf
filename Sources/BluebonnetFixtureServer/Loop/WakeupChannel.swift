import Glibc

/// A socket pair that lets other threads interrupt the server's wait for events.
final class WakeupChannel: Sendable {
    let readDescriptor: Int32
    private let writeDescriptor: Int32

    init() throws(FixtureServerError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
            throw FixtureServerError(operation: "socketpair")
        }
        readDescriptor = pair[0]
        writeDescriptor = pair[1]
    }

    deinit {
        close(readDescriptor)
        close(writeDescriptor)
    }

    /// Wakes the reader.
    ///
    /// If the channel is full, a wake-up is already pending and no further byte is needed.
    func signal() {
        var byte: UInt8 = 1
        _ = send(writeDescriptor, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    func drain() {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            while recv(readDescriptor, buffer.baseAddress, buffer.count, 0) > 0 {}
        }
    }
}
