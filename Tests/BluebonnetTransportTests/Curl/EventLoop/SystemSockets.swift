import Foundation
import Glibc

/// The kernel's information about the process's sockets, by a server's port.
///
/// The port is the key because other tests open and close descriptors at the same time. Sockets are
/// queried one by one: the kernel's list of all connections omits some, and repeats others, if
/// connections open and close during the read.
enum SystemSockets {
    /// A state of a TCP connection, with the kernel's number.
    enum State: UInt8 {
        case established = 1
        case closeWait = 8
    }

    /// Returns the number of client sockets connected to a local port.
    static func clientCount(of port: UInt16) -> Int { clients(of: port).count }

    /// Returns the inodes of the client sockets in a state that are connected to a local port.
    static func clients(of port: UInt16, in state: State) -> Set<UInt> {
        Set(
            clients(of: port).lazy.filter { self.state(of: $0.descriptor) == state.rawValue }
                .map(\.inode))
    }

    /// Returns the number of unread bytes in the client sockets connected to a local port.
    static func unreadCount(ofClientsOf port: UInt16) -> Int {
        clients(of: port).reduce(0) { sum, client in
            var count: Int32 = 0
            return ioctl(client.descriptor, UInt(FIONREAD), &count) == 0 ? sum + Int(count) : sum
        }
    }

    /// Returns the number of the process's sockets bound to an IPv4 address.
    static func count(boundTo text: String) -> Int {
        var wanted = in_addr()
        guard inet_pton(AF_INET, text, &wanted) == 1 else { return 0 }
        return descriptors.count { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &size)
                }
            }
            return result == 0 && Int32(address.sin_family) == AF_INET
                && address.sin_addr.s_addr == wanted.s_addr
        }
    }

    /// Returns the process's sockets whose peer has a port, without duplicates.
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
                // The port is at the same offset in both families.
                let isInternet = [AF_INET, AF_INET6].contains(Int32(general.pointee.sa_family))
                return isInternet
                    ? general.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        UInt16(bigEndian: $0.pointee.sin_port)
                    } : nil
            }
        }
    }

    /// Returns the first byte of TCP_INFO, which is the state.
    private static func state(of descriptor: Int32) -> UInt8? {
        var state: UInt8 = 0
        var size = socklen_t(1)
        let result = getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &size)
        return result == 0 && size == 1 ? state : nil
    }

    /// Returns whether a socket is closed when the process executes another program.
    static func isClosedOnExec(inode: UInt) -> Bool? {
        for descriptor in descriptors {
            var status = stat()
            guard fstat(descriptor, &status) == 0, UInt(status.st_ino) == inode else { continue }
            return fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0
        }
        return nil
    }

    /// The number of open descriptors of the process.
    static var descriptorCount: Int { descriptors.count }

    private static var descriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// Returns whether a condition becomes true within 30 seconds, if no event reports it.
    ///
    /// A separate queue checks it, because Swift's threads are few and other tests need them.
    static func settles(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
        if condition() { return true }
        let queue = DispatchQueue(label: "bluebonnet.tests.settles")
        return await withCheckedContinuation { continuation in
            look(on: queue, until: .now() + 30, condition) { continuation.resume(returning: $0) }
        }
    }

    /// Returns whether an async condition becomes true within 30 seconds.
    static func settles(asking condition: @Sendable () async -> Bool) async -> Bool {
        let end = DispatchTime.now() + 30
        let queue = DispatchQueue(label: "bluebonnet.tests.settles")
        while DispatchTime.now() < end {
            if await condition() { return true }
            await withCheckedContinuation { continuation in
                queue.asyncAfter(deadline: .now() + .milliseconds(5)) { continuation.resume() }
            }
        }
        return false
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
}
