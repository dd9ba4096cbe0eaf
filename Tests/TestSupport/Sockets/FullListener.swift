import Glibc

/// A listening socket with a full queue, so that the kernel drops further connection attempts.
package final class FullListener: Sendable {
    private let listener: ListeningSocket
    private let clients: [Int32]

    package init(at address: SocketAddress = .loopback()) throws {
        let listener = try ListeningSocket(at: address, backlog: 0)
        self.listener = listener
        guard let bound = SocketAddress(of: listener.descriptor) else {
            throw ServerFailure("the listener has no address")
        }
        clients = (0..<4).map { _ in
            let client = StreamSocket.make(family: bound.family, waits: false)
            StreamSocket.begin(client, to: bound)
            return client
        }
    }

    deinit {
        for client in clients { close(client) }
    }

    package var port: UInt16 { listener.port }
}
