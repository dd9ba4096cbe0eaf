import Glibc

/// A connection that a script reads and writes; it closes when it is released.
package final class RawConnection: Sendable {
    package let descriptor: Int32

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads until the end of a head.
    ///
    /// Returns an empty string if the connection ends first.
    @discardableResult
    package func readHead() -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(1).first else { return "" }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads exactly `count` bytes, or fewer if the connection ends.
    @discardableResult
    package func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
        while bytes.count < count {
            let result = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
            guard result > 0 else { break }
            bytes += buffer.prefix(result)
        }
        return bytes
    }

    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends all bytes.
    ///
    /// Returns false if the connection has ended.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        StreamSocket.write(bytes, to: descriptor)
    }

    /// Makes closing the connection reset it.
    package func resetAtClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
