import Foundation
import Glibc

/// A server whose every connection is served, one after the other, by a script on its thread.
final class RawServer: Sendable {
    typealias Script = @Sendable (_ connection: RawConnection, _ number: Int) -> Void

    let port: UInt16
    private let listener: Int32
    private let ended = DispatchSemaphore(value: 0)

    init(_ script: @escaping Script) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size)
                listen(listener, 64)
                getsockname(listener, address, &size)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        Thread.detachNewThread { [ended] in
            var number = 0
            while case let socket = accept(listener, nil, nil), socket >= 0 {
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                script(RawConnection(socket), number)
                number += 1
            }
            ended.signal()
        }
    }

    deinit {
        // Ends the waiting `accept4` as well.
        shutdown(listener, Int32(SHUT_RDWR))
        ended.wait()
        close(listener)
    }

    var baseURL: String { "http://127.0.0.1:\(port)" }
}

/// A connection that a script reads and writes; it closes when the script lets it go.
final class RawConnection: Sendable {
    private let socket: Int32

    init(_ socket: Int32) {
        self.socket = socket
    }

    deinit {
        close(socket)
    }

    /// Reads until the end of a head; empty when the connection ends before.
    @discardableResult
    func readHead() -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(1).first else { return "" }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads exactly that many bytes, fewer only where the connection ends.
    @discardableResult
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
        while bytes.count < count {
            let result = Glibc.recv(socket, &buffer, min(buffer.count, count - bytes.count), 0)
            guard result > 0 else { break }
            bytes += buffer.prefix(result)
        }
        return bytes
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends all of it; false where the connection is at its end.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Makes the closing a reset.
    func resetAtClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
