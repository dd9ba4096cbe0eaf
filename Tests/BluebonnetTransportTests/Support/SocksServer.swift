import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Glibc

/// A SOCKS 5 proxy for one connection, which it joins to a local port.
final class SocksServer: Sendable {
    let port: UInt16
    /// User name, password, host and port of the request, as far as received.
    let heard = Locked<[String]>([])

    init(target: UInt16, answer: UInt8, acceptsLogin: Bool = true) throws {
        let listener = try ListeningSocket()
        port = listener.port
        let heard = heard
        Thread.detachNewThread {
            guard let client = listener.accept().map(RawConnection.init) else { return }
            let methods = client.read(Int(client.read(2).last ?? 0))
            client.send([5, methods.contains(2) ? 2 : 0])
            if methods.contains(2) {
                client.read(1)
                for _ in 0..<2 {
                    let text = client.read(Int(client.read(1).first ?? 0))
                    heard.withLock { $0.append(String(decoding: text, as: UTF8.self)) }
                }
                client.send([1, acceptsLogin ? 0 : 1])
                guard acceptsLogin else { return }
            }
            let kind = client.read(4).last
            let host = client.read(kind == 3 ? Int(client.read(1).first ?? 0) : 4)
            let place = client.read(2)
            heard.withLock {
                $0.append(String(decoding: host, as: UTF8.self))
                $0.append("\(place.reduce(0) { $0 << 8 | Int($1) })")
            }
            client.send([5, answer, 0, 1, 0, 0, 0, 0, 0, 0])
            guard answer == 0, let server = StreamSocket.connect(to: .loopback(target)) else {
                return
            }
            join(client, RawConnection(server))
        }
    }
}

/// Relays bytes in both directions until either side ends.
private func join(_ left: RawConnection, _ right: RawConnection) {
    let sides = [left, right]
    var entries = sides.map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    while poll(&entries, 2, -1) > 0 {
        for (index, entry) in entries.enumerated() where entry.revents != 0 {
            guard let bytes = StreamSocket.read(entry.fd) else { return }
            sides[1 - index].send(bytes)
        }
    }
}
