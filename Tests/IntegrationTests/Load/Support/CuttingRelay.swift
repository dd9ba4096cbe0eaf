import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Glibc

/// A TCP relay on a loopback port that cuts responses.
///
/// It knows enough of HTTP to record the requests' heads and to count only the bytes of bodies. A
/// relay without a target port reads everything and never answers, like a server that hangs.
final class CuttingRelay: Sendable {
    /// What happens after the last relayed byte.
    enum End: Sendable {
        case close
        /// The connection stays open until the client closes it.
        case hold
    }

    private struct State {
        var requests: [String] = []
        var bodyBytes = 0
        /// The number of body bytes of the next response to relay, or nil for all.
        var limit: Int?
        var end = End.close
    }

    let port: UInt16
    private let listener: ListeningSocket
    private let upstream: UInt16?
    private let state = Locked(State())

    init(to upstream: UInt16?) throws {
        self.upstream = upstream
        let listener = try ListeningSocket(backlog: 1024)
        (self.listener, port) = (listener, listener.port)
        Thread.detachNewThread { [state] in
            var links: [Link] = []
            while Self.serve(&links, listener, upstream, state) {}
            for link in links { link.close() }
        }
    }

    deinit {
        // Ends the thread, because accept fails from now on.
        listener.shutDown()
    }

    /// The heads of the requests, in order.
    var requests: [String] { state.withLock { $0.requests } }

    /// The number of body bytes passed to the client since the last ``cut(after:_:)``.
    var bodyBytes: Int { state.withLock { $0.bodyBytes } }

    /// Relays this many more body bytes, or all if it is nil.
    func cut(after limit: Int?, _ end: End = .close) {
        state.withLock { state in
            state.bodyBytes = 0
            state.limit = limit
            state.end = end
        }
    }

    // MARK: On the relay's thread

    /// A client's connection and the one to the server.
    private struct Link {
        let client: Int32
        let server: Int32?
        var isInHead = true
        var head: [UInt8] = []
        var isHeld = false

        func close() {
            Glibc.close(client)
            if let server { Glibc.close(server) }
        }
    }

    private static func serve(
        _ links: inout [Link], _ listener: ListeningSocket, _ upstream: UInt16?,
        _ state: Locked<State>
    ) -> Bool {
        var entries = [pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)]
        for link in links {
            entries.append(pollfd(fd: link.client, events: Int16(POLLIN), revents: 0))
            // A negative descriptor is ignored.
            let server = link.isHeld ? -1 : link.server ?? -1
            entries.append(pollfd(fd: server, events: Int16(POLLIN), revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), -1) >= 0 else { return errno == EINTR }
        for index in links.indices.reversed() {
            let (client, server) = (entries[1 + 2 * index], entries[2 + 2 * index])
            var goesOn = true
            if client.revents != 0 { goesOn = takeRequest(&links[index], state) }
            if goesOn, server.revents != 0 { goesOn = takeResponse(&links[index], state) }
            if !goesOn { links.remove(at: index).close() }
        }
        guard entries[0].revents != 0 else { return true }
        guard let client = listener.accept() else { return errno != EINVAL && errno != EBADF }
        let server = upstream.flatMap { StreamSocket.connect(to: .loopback($0)) }
        links.append(Link(client: client, server: server))
        return true
    }

    private static func takeRequest(_ link: inout Link, _ state: Locked<State>) -> Bool {
        guard let bytes = StreamSocket.read(link.client) else { return false }
        guard let server = link.server else { return true }
        // The requests have no body, and each arrives in one segment.
        state.withLock { $0.requests.append(String(decoding: bytes, as: UTF8.self)) }
        (link.isInHead, link.head) = (true, [])
        return StreamSocket.write(bytes[...], to: server)
    }

    private static func takeResponse(_ link: inout Link, _ state: Locked<State>) -> Bool {
        guard let server = link.server, var body = StreamSocket.read(server) else { return false }
        if link.isInHead {
            link.head += body
            guard let end = link.head.firstRange(of: [13, 10, 13, 10]) else { return true }
            link.isInHead = false
            body = Array(link.head[end.upperBound...])
            guard StreamSocket.write(link.head[..<end.upperBound], to: link.client) else {
                return false
            }
        }
        let (allowed, end) = state.withLock { state -> (Int, End?) in
            let room = state.limit.map { max(0, $0 - state.bodyBytes) } ?? .max
            let count = min(body.count, room)
            state.bodyBytes += count
            return (count, state.bodyBytes == state.limit ? state.end : nil)
        }
        guard StreamSocket.write(body[..<allowed], to: link.client) else { return false }
        if end == End.hold { link.isHeld = true }
        return end != End.close
    }
}
