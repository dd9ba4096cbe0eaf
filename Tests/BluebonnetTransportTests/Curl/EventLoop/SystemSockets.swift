import Foundation
import Glibc

/// What the kernel says of the process's sockets, looked up by a server's port, because other tests
/// open and close descriptors at the same time.
///
/// Its own sockets are asked one by one: from the list of all connections the kernel leaves some out,
/// and names others twice, where connections come and go while it is read.
enum SystemSockets {
    /// A state of a TCP connection, as the kernel numbers it.
    enum State: UInt8 {
        case established = 1
        case closeWait = 8
    }

    /// The inodes of the client sockets connected to a port of this machine, in some state.
    static func clients(of port: UInt16, in state: State) -> Set<UInt> {
        Set(
            clients(of: port).lazy.filter { self.state(of: $0.descriptor) == state.rawValue }
                .map(\.inode))
    }

    /// How many bytes lie unread in the client sockets connected to a port of this machine.
    static func unreadCount(ofClientsOf port: UInt16) -> Int {
        clients(of: port).reduce(0) { sum, client in
            var count: Int32 = 0
            return ioctl(client.descriptor, UInt(FIONREAD), &count) == 0 ? sum + Int(count) : sum
        }
    }

    /// The process's sockets whose peer has a port, each once.
    private static func clients(of port: UInt16) -> [(descriptor: Int32, inode: UInt)] {
        var inodes = Set<UInt>()
        return descriptors.compactMap { descriptor in
            guard peerPort(of: descriptor) == port else { return nil }
            var status = stat()
            guard fstat(descriptor, &status) == 0, inodes.insert(UInt(status.st_ino)).inserted
            else { return nil }
            return (descriptor, UInt(status.st_ino))
        }
    }

    private static func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                guard getpeername(descriptor, general, &size) == 0 else { return nil }
                // Both families have the port in the same place.
                let isInternet = [AF_INET, AF_INET6].contains(Int32(general.pointee.sa_family))
                return isInternet
                    ? general.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        UInt16(bigEndian: $0.pointee.sin_port)
                    } : nil
            }
        }
    }

    /// The first byte of what the kernel says of a connection.
    private static func state(of descriptor: Int32) -> UInt8? {
        var state: UInt8 = 0
        var size = socklen_t(1)
        let result = getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &size)
        return result == 0 && size == 1 ? state : nil
    }

    /// Whether somebody listens on a port of 127.0.0.1.
    static func isListening(on port: UInt16) -> Bool {
        let suffix = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
        return connections(naming: suffix, in: "/proc/self/net/tcp").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[1].hasSuffix(suffix) && columns[3] == "0A"
        }
    }

    /// Whether the descriptor of a socket is closed when the process executes another program.
    static func isClosedOnExec(inode: UInt) -> Bool? {
        for descriptor in descriptors {
            var status = stat()
            guard fstat(descriptor, &status) == 0, UInt(status.st_ino) == inode else { continue }
            return fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0
        }
        return nil
    }

    /// How many descriptors the process has open.
    static var descriptorCount: Int { descriptors.count }

    private static var descriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// Whether a condition came to hold within half a minute; for what no event tells of.
    ///
    /// A queue of its own looks, for Swift's threads are few, and other tests wait for them.
    static func settles(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
        if condition() { return true }
        let queue = DispatchQueue(label: "bluebonnet.tests.settles")
        return await withCheckedContinuation { continuation in
            look(on: queue, until: .now() + 30, condition) { continuation.resume(returning: $0) }
        }
    }

    private static func look(
        on queue: DispatchQueue, until end: DispatchTime,
        _ condition: @escaping @Sendable () -> Bool, then tell: @escaping @Sendable (Bool) -> Void
    ) {
        queue.asyncAfter(deadline: .now() + .milliseconds(5)) {
            if condition() { return tell(true) }
            guard DispatchTime.now() < end else { return tell(false) }
            look(on: queue, until: end, condition, then: tell)
        }
    }

    /// The lines of a file with a port in them, for it may have thousands of other tests'.
    private static func connections(naming suffix: String, in path: String) -> [String] {
        (bytes(of: path) + [0]).withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: CChar.self) { lines(of: $0, containing: suffix + " ") }
        }
    }

    /// Made of what libc has, because a sanitizer makes a loop over so much text slow.
    private static func lines(
        of text: UnsafeBufferPointer<CChar>, containing part: String
    ) -> [String] {
        var lines: [String] = []
        var rest = text.baseAddress
        while let base = rest, let place = strstr(base, part) {
            var first = UnsafePointer(place)
            while first > base, first[-1] != 0x0A { first -= 1 }
            let end = UnsafePointer(place) + strcspn(place, "\n")
            let line = UnsafeRawBufferPointer(start: first, count: end - first)
            lines.append(String(decoding: line, as: UTF8.self))
            rest = end
        }
        return lines
    }

    private static func bytes(of path: String) -> [UInt8] {
        // The files of /proc have no size, so they are read until their end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            text += buffer.prefix(count)
        }
        return text
    }
}

/// A listening socket whose queue is full, so that the kernel drops what else wants to connect.
final class FullListener {
    let port: UInt16
    private var descriptors: [Int32] = []

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var opened = [listener]
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size)
                getsockname(listener, address, &size)
                listen(listener, 0)
                for _ in 0..<4 {
                    let kind = Int32(SOCK_STREAM.rawValue) | 0o2000000 | 0o4000
                    let client = socket(AF_INET, kind, 0)
                    connect(client, address, size)
                    opened.append(client)
                }
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        descriptors = opened
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - count)) + self
    }
}
