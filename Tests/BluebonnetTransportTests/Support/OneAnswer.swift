import Foundation
import Glibc

/// A server that gives every connection the same answer, whatever it asks.
enum OneAnswer {
    struct Failure: Error {}

    /// Listens on a Unix socket for as long as the process lives.
    static func listen(at path: String, _ answer: String) throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard result == 0, Glibc.listen(listener, 8) == 0 else { throw Failure() }
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = read(client, &buffer, buffer.count)
            let bytes = Array(answer.utf8)
            _ = bytes.withUnsafeBytes {
                send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            close(client)
            close(listener)
        }
    }
}
