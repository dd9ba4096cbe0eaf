import BluebonnetTransport
import Foundation
import Glibc

/// A SOCKS 5 proxy for one connection, which it joins to a port of this machine.
final class SocksServer: Sendable {
    let port: UInt16
    /// User name, password, host and port of the request, as far as it came.
    let heard = Locked<[String]>([])

    init(target: UInt16, answer: UInt8, acceptsLogin: Bool = true) {
        let listener = ListeningSocket()
        port = listener.port
        let heard = heard
        Thread.detachNewThread {
            guard let client = listener.accept() else { return }
            defer { close(client) }
            let methods = receive(client, Int(receive(client, 2).last ?? 0))
            transmit(client, [5, methods.contains(2) ? 2 : 0])
            if methods.contains(2) {
                _ = receive(client, 1)
                for _ in 0..<2 {
                    let text = receive(client, Int(receive(client, 1).first ?? 0))
                    heard.withLock { $0.append(String(decoding: text, as: UTF8.self)) }
                }
                transmit(client, [1, acceptsLogin ? 0 : 1])
                guard acceptsLogin else { return }
            }
            let kind = receive(client, 4).last
            let host = receive(client, kind == 3 ? Int(receive(client, 1).first ?? 0) : 4)
            let place = receive(client, 2)
            heard.withLock {
                $0.append(String(decoding: host, as: UTF8.self))
                $0.append("\(place.reduce(0) { $0 << 8 | Int($1) })")
            }
            transmit(client, [5, answer, 0, 1, 0, 0, 0, 0, 0, 0])
            guard answer == 0, let server = connect(to: target) else { return }
            defer { close(server) }
            join(client, server)
        }
    }
}

private func receive(_ socket: Int32, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
        let more = bytes.withUnsafeMutableBytes { place in
            recv(socket, place.baseAddress.map { $0 + got }, count - got, 0)
        }
        guard more > 0 else { return [] }
        got += more
    }
    return bytes
}

private func transmit(_ socket: Int32, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
}

/// Carries bytes both ways until either side ends.
private func join(_ left: Int32, _ right: Int32) {
    var sides = [
        pollfd(fd: left, events: Int16(POLLIN), revents: 0),
        pollfd(fd: right, events: Int16(POLLIN), revents: 0),
    ]
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while poll(&sides, 2, -1) > 0 {
        for (index, side) in sides.enumerated() where side.revents != 0 {
            let count = read(side.fd, &buffer, buffer.count)
            guard count > 0 else { return }
            transmit(sides[1 - index].fd, Array(buffer[..<count]))
        }
    }
}
