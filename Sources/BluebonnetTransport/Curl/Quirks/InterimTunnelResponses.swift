import CBluebonnet
import Glibc

/// The interim responses (1xx) that a proxy may send before its answer to CONNECT (RFC 9110 section
/// 15.2).
///
/// Every libcurl takes the first head for the answer, so they are read from the socket before it looks.
/// Inside TLS to the proxy they cannot be had this way. It lives on the loop thread.
struct InterimTunnelResponses {
    /// What is to be done about bytes that have come.
    enum Verdict {
        /// They belong to the answer, or to what libcurl has to make an error of.
        case answer
        /// They may be the beginning of an interim response, the rest of which is awaited.
        case wait
        /// There are none.
        case nothing
    }

    private static let largestHead = 8 * 1024

    /// How many more are read.
    private var remaining: Int
    /// How many bytes there were when the rest of a response was awaited.
    private var awaitedFrom = 0

    init(limit: Int) {
        remaining = limit
    }

    /// Reads the interim responses that have come whole.
    mutating func read(from socket: Int32) -> Verdict {
        // Peeking without any bytes would take a pending error away from libcurl.
        while bb_socket_unread_count(socket) > 0 {
            var bytes = [UInt8](repeating: 0, count: Self.largestHead)
            let count = recv(socket, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            guard count > 0 else { break }
            switch Self.length(ofInterimIn: bytes[..<count]) {
            case let length? where length > 0 && remaining > 0:
                guard recv(socket, &bytes, length, Int32(MSG_DONTWAIT)) == length else {
                    return .answer
                }
                remaining -= 1
                awaitMore(than: 0, on: socket)
            case 0? where remaining > 0 && count < bytes.count && count > awaitedFrom:
                awaitMore(than: count, on: socket)
                return .wait
            default:
                awaitMore(than: 0, on: socket)
                return .answer
            }
        }
        return .nothing
    }

    /// Has the socket count as readable only with more bytes than that, or at its end.
    private mutating func awaitMore(than count: Int, on socket: Int32) {
        guard count != awaitedFrom else { return }
        awaitedFrom = count
        var mark = Int32(count + 1)
        let size = socklen_t(MemoryLayout.size(ofValue: mark))
        _ = setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &mark, size)
    }

    /// How many bytes an interim response has that these begin with; 0 if more of them are needed to
    /// tell, nil if they begin with none.
    ///
    /// A switch of protocols (101) is none: nobody asked for one.
    static func length(ofInterimIn bytes: ArraySlice<UInt8>) -> Int? {
        let line = Array("HTTP/1.".utf8)
        let start = Array(bytes.prefix(13))
        guard zip(start, line).allSatisfy(==) else { return nil }
        let isInterim = start.enumerated().dropFirst(line.count).allSatisfy { place, byte in
            switch place {
            case 7: byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1")
            case 8: byte == UInt8(ascii: " ")
            case 9: byte == UInt8(ascii: "1")
            case 12: !isDigit(byte)
            default: isDigit(byte)
            }
        }
        guard isInterim, start.dropFirst(9).prefix(3) != Array("101".utf8)[...] else { return nil }
        var lineStart = bytes.startIndex
        while let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
            let content = bytes[lineStart..<end]
            if content.isEmpty || content.elementsEqual("\r".utf8) {
                return end + 1 - bytes.startIndex
            }
            lineStart = end + 1
        }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension EventLoop {
    /// Whether libcurl is to look at a socket on which a proxy may send interim responses.
    func mayRead(_ socket: Int32, _ events: UInt32) -> Bool {
        // What else there is to do goes first, and what has come is seen again.
        guard events == UInt32(BB_READABLE), var interim = interimTunnelResponses[socket] else {
            return true
        }
        let verdict = interim.read(from: socket)
        switch verdict {
        case .wait, .nothing: interimTunnelResponses[socket] = interim
        case .answer: interimTunnelResponses[socket] = nil
        }
        if case .wait = verdict { return false }
        return true
    }

    /// Notes whether a proxy may send interim responses on a socket that was opened for an exchange.
    func noteTunnel(on socket: Int32, of transfer: CurlTransfer) {
        let mayCome = transfer.handle?.asksForTunnelInPlainText == true
        guard mayCome || !interimTunnelResponses.isEmpty else { return }
        interimTunnelResponses[socket] =
            mayCome
            ? InterimTunnelResponses(limit: transfer.exchange.limits.interimResponseCount) : nil
    }

    /// Notes that no interim responses come on a socket any more, whether or not any could.
    func noteEndOfTunnelResponse(on socket: Int32) {
        if !interimTunnelResponses.isEmpty { interimTunnelResponses[socket] = nil }
    }
}

extension EasyHandle {
    fileprivate var asksForTunnelInPlainText: Bool {
        guard let proxy, proxy.scheme == .http else { return false }
        return template.isSecure || proxy.tunnelsPlainHTTP
    }
}
