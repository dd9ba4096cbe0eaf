import Bluebonnet
import Foundation
import Glibc

/// An open file of a body, which is closed when the object is released.
final class BodyFile: Sendable {
    let path: String
    /// Where the file is read and written, because both block.
    let lane: DispatchQueue
    private let descriptor: Int32

    /// Creates the file of a response, on its lane.
    ///
    /// It stays locked until it is closed or ``unlock()`` is called.
    init(creating id: UUID, in folder: CacheFolder, on lane: DispatchQueue) throws {
        let path = folder.body(id)
        func create() -> Int32 {
            open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        var descriptor = create()
        // The folder is created with the database, and can be removed at any time.
        if descriptor < 0, errno == ENOENT {
            try folder.create()
            descriptor = create()
        }
        (self.path, self.lane, self.descriptor) = (path, lane, descriptor)
        Self.openCount.withLock { $0 += 1 }
        guard descriptor >= 0 else { throw StorageFailure(doing: "create", path) }
        // A store that is opened between the two calls can remove the file as an orphan.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isLinked else {
            throw StorageFailure(doing: "lock", path)
        }
    }

    /// Opens a file of a size; returns nil if it is not there or has another size.
    init?(opening path: String, count: Int) throws {
        descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        (self.path, lane) = (path, Self.nextLane())
        Self.openCount.withLock { $0 += 1 }
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ELOOP { return nil }
            throw StorageFailure(doing: "open", path)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size == count else { return nil }
    }

    deinit {
        Self.openCount.withLock { $0 -= 1 }
        guard descriptor >= 0 else { return }
        // The last reference to a file that was removed: its space is released.
        lane.async { [descriptor] in _ = close(descriptor) }
    }

    /// Whether the file is still in its folder.
    var isLinked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    func unlock() { flock(descriptor, LOCK_UN) }

    func remove() { unlink(path) }

    /// Waits until the bytes are on the disk.
    func synchronize() throws {
        guard fdatasync(descriptor) == 0 else { throw StorageFailure(doing: "write", path) }
    }

    func write(_ data: Data, at offset: Int) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = pwrite(
                    descriptor, part.baseAddress, part.count, off_t(offset + rest.startIndex))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw StorageFailure(doing: "write", path) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Reads at most `count` bytes.
    ///
    /// - Returns: The bytes, none at the end of the file; nil if it cannot be read.
    func read(_ count: Int, at offset: Int) -> Data? {
        guard let bytes = malloc(max(1, count)) else { return nil }
        while true {
            let found = pread(descriptor, bytes, count, off_t(offset))
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else {
                free(bytes)
                return nil
            }
            return Data(bytesNoCopy: bytes, count: found, deallocator: .free)
        }
    }

    // MARK: Descriptors

    private static let openCount = Locked(0)
    /// A quarter of what the process may have, because connections need descriptors, too.
    private static let mostOpen: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 64 }
        return Int(clamping: min(limit.rlim_cur / 4, 4_096))
    }()

    /// Whether one more file may be open.
    static var hasRoom: Bool { openCount.withLock { $0 < mostOpen } }

    // MARK: Queues

    /// A few, so that many bodies take few threads, and a slow one holds up few others.
    private static let lanes = (0..<max(4, ProcessInfo.processInfo.activeProcessorCount)).map {
        DispatchQueue(label: "bluebonnet.cache.bodies.\($0)")
    }
    private static let laneCount = Locked(0)

    static func nextLane() -> DispatchQueue {
        let number = laneCount.withLock { count in
            count = (count + 1) % lanes.count
            return count
        }
        return lanes[number]
    }
}
