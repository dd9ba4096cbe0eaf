import BluebonnetTransport
import Foundation
import Glibc

/// A server that runs a script on its thread for each connection, one after another.
package final class RawServer: Sendable {
    package typealias Script = @Sendable (_ connection: RawConnection, _ number: Int) -> Void

    private let socket: ListeningSocket
    private let count = Locked(0)
    private let ended = DispatchSemaphore(value: 0)

    package init(at address: SocketAddress = .loopback(), _ script: @escaping Script) throws {
        let socket = try ListeningSocket(at: address)
        self.socket = socket
        Thread.detachNewThread { [ended, count] in
            while let descriptor = socket.accept() {
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                script(RawConnection(descriptor), number)
            }
            ended.signal()
        }
    }

    /// Creates a server that sends the same text after the first head of each connection, and
    /// closes.
    package convenience init(at address: SocketAddress = .loopback(), answer: String) throws {
        try self.init(at: address) { connection, _ in
            connection.readHead()
            connection.send(answer)
        }
    }

    deinit {
        socket.shutDown()
        ended.wait()
    }

    package var port: UInt16 { socket.port }

    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// The number of accepted connections.
    package var acceptedCount: Int { count.withLock { $0 } }
}
