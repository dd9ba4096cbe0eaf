import Foundation
import Glibc

/// What the kernel says of the process's sockets, looked up by a server's port, because other tests
/// open and close descriptors at the same time.
enum SystemSockets {
    /// A state of a TCP connection, as the kernel numbers it.
    enum State: String {
        case established = "01"
        case closeWait = "08"
    }

    /// The inodes of the client sockets connected to a port of this machine, in some state.
    static func clients(of port: UInt16, in state: State) -> Set<String> {
        let suffix = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
        // The kernel may list a socket again where others come and go while its list is read.
        var inodes = Set<String>()
        for line in connections(naming: suffix, in: "/proc/self/net/tcp", "/proc/self/net/tcp6") {
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[3] == state.rawValue, columns[2].hasSuffix(suffix)
            else { continue }
            inodes.insert(String(columns[9]))
        }
        return inodes
    }

    /// How many bytes lie unread in the client sockets connected to a port of this machine.
    static func unreadCount(ofClientsOf port: UInt16) -> Int {
        let suffix = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
        var counts: [Substring: Int] = [:]
        for line in connections(naming: suffix, in: "/proc/self/net/tcp") {
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[2].hasSuffix(suffix) else { continue }
            counts[columns[9]] = columns[4].split(separator: ":").last.flatMap {
                Int($0, radix: 16)
            }
        }
        return counts.values.reduce(0, +)
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
    static func isClosedOnExec(inode: String) -> Bool? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let name = names.first { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
                == "socket:[\(inode)]"
        }
        guard let name else { return nil }
        let flags = lines(of: "/proc/self/fdinfo/\(name)").first { $0.hasPrefix("flags:") }
        let number = flags.flatMap {
            Int($0.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8)
        }
        return number.map { $0 & 0o2000000 != 0 }
    }

    /// How many descriptors the process has open.
    static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// The CPU time in seconds of the threads of some name.
    static func processorSeconds(ofThreadsNamed name: String) -> Double {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let nanoseconds = tasks.compactMap { task -> Int? in
            guard lines(of: "/proc/self/task/\(task)/comm").first == name else { return nil }
            return lines(of: "/proc/self/task/\(task)/schedstat").first?
                .split(separator: " ").first.flatMap { Int($0) }
        }
        return Double(nanoseconds.reduce(0, +)) / 1_000_000_000
    }

    /// Whether a condition came to hold within five seconds; for what no event tells of.
    static func settles(_ condition: () -> Bool) -> Bool {
        for _ in 0..<500 {
            if condition() { return true }
            usleep(10_000)
        }
        return condition()
    }

    /// The lines of these files with a port in them, for they may have thousands of other tests'.
    private static func connections(naming suffix: String, in paths: String...) -> [String] {
        paths.flatMap { path in
            (bytes(of: path) + [0]).withUnsafeBufferPointer { text in
                text.withMemoryRebound(to: CChar.self) { lines(of: $0, containing: suffix + " ") }
            }
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

    private static func lines(of path: String) -> [String] {
        String(decoding: bytes(of: path), as: UTF8.self).split(separator: "\n").map(String.init)
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
