import BluebonnetCache
import Foundation
import Glibc

/// The files of a store: `cache.sqlite`, which SQLite accompanies with `-wal` and `-shm`, a lock, and the
/// large bodies.
struct CacheFolder: Sendable {
    let path: String

    init(_ url: URL) { path = url.path }

    var database: String { path + "/cache.sqlite" }
    var bodies: String { path + "/bodies" }

    /// The database's path without symbolic links, which SQLite is told not to follow.
    func resolvedDatabase() throws -> String {
        guard let resolved = realpath(path, nil) else {
            throw StorageFailure(doing: "find", path)
        }
        defer { free(resolved) }
        return String(cString: resolved) + "/cache.sqlite"
    }

    func body(_ id: UUID) -> String { "\(bodies)/\(id.uuidString)" }

    /// The number of the database's file; nil if there is none.
    var databaseNumber: UInt? {
        var status = stat()
        return lstat(database, &status) == 0 ? UInt(status.st_ino) : nil
    }

    /// Creates the folders that are missing, which only this user may enter.
    func create() throws {
        for folder in [path, bodies] where mkdir(folder, 0o700) != 0 {
            if errno == ENOENT {
                do {
                    try FileManager.default.createDirectory(
                        atPath: folder, withIntermediateDirectories: true,
                        attributes: [.posixPermissions: 0o700])
                    continue
                } catch {
                    throw StorageFailure(doing: "create the folder", folder, number: ENOENT)
                }
            }
            guard errno == EEXIST else { throw StorageFailure(doing: "create the folder", folder) }
        }
        var status = stat()
        guard lstat(bodies, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StorageFailure(doing: "use the folder", bodies, number: ENOTDIR)
        }
        for file in [path, bodies, database] where stat(file, &status) == 0 {
            // A user who can change the files can forge responses.
            guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
                throw StorageFailure(doing: "use", file, number: EACCES)
            }
        }
    }

    /// Calls a closure while no other store opens or replaces the database.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let file = path + "/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageFailure(doing: "open", file) }
        defer { close(descriptor) }
        // Not for long, should the one who holds it have been stopped.
        for attempt in 0... {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
            guard errno == EWOULDBLOCK || errno == EINTR, attempt < 50 else {
                throw StorageFailure(doing: "lock", file)
            }
            usleep(5_000)
        }
        return try body()
    }

    /// Creates an empty database, unless there is one.
    ///
    /// A file that is opened here must not be that of a connection of this process: closing it
    /// would release the connection's locks. SQLite gives its mode to the files beside it.
    func createDatabase() throws {
        guard databaseNumber == nil else { return }
        // What another database has left is not a part of this one.
        removeDatabase()
        let descriptor = open(database, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageFailure(doing: "create", database) }
        close(descriptor)
    }

    /// Removes the database, not the bodies.
    func removeDatabase() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(database + suffix) }
    }

    /// The responses for which there are files.
    func bodyFiles() -> [UUID] {
        guard let folder = opendir(bodies) else { return [] }
        defer { closedir(folder) }
        var found: [UUID] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let id = UUID(uuidString: name), id.uuidString == name { found.append(id) }
        }
        return found
    }

    /// Removes a body that is not being written and has no row.
    func removeBody(_ id: UUID, unless hasRow: () throws -> Bool) rethrows {
        let descriptor = open(body(id), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The lock of one who writes it lasts until there is a row.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, try !hasRow() else { return }
        unlink(body(id))
    }
}
