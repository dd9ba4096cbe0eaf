import BluebonnetTransport
import Foundation

/// An absolute path in the form that the system takes.
struct FilePath: Sendable, Hashable {
    let string: String

    /// Refuses what names no file: other schemes, a path that holds NUL, at which C would cut it.
    init(_ url: URL, for operation: FileFailure.Operation) throws(FileFailure) {
        guard url.isFileURL else {
            throw FileFailure(
                operation, path: url.absoluteString.withoutURLSecrets,
                message: "it is not a file URL; make it with URL(fileURLWithPath:)"
            )
        }
        let path = url.path
        // `path` leaves a NUL in its percent-encoded form, which is another name.
        guard path.hasPrefix("/"), !path.utf8.contains(0), !url.absoluteString.contains("%00")
        else {
            throw FileFailure(
                operation, path: path,
                message: "the path is not absolute or holds a NUL; choose another"
            )
        }
        string = path
    }

    private init(unchecked string: String) {
        self.string = string
    }

    var url: URL { URL(fileURLWithPath: string, isDirectory: false) }

    /// What follows the last slash.
    var name: Substring { string[nameStart...] }

    /// The directory that holds it; that of `/` is `/`.
    var parent: FilePath {
        guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")), slash != string.startIndex
        else { return FilePath(unchecked: "/") }
        return FilePath(unchecked: String(string[..<slash]))
    }

    func appending(_ name: String) -> FilePath {
        FilePath(unchecked: string.hasSuffix("/") ? string + name : string + "/" + name)
    }

    private var nameStart: String.Index {
        string.utf8.lastIndex(of: UInt8(ascii: "/")).map { string.utf8.index(after: $0) }
            ?? string.startIndex
    }
}

extension FilePath {
    /// Makes this directory and those above it that are missing.
    func createDirectory(on fileSystem: FileSystem) throws(FileFailure) {
        var missing: [FilePath] = []
        var path = self
        while try !path.isDirectory(on: fileSystem) {
            missing.append(path)
            path = path.parent
        }
        for path in missing.reversed() {
            do throws(SystemError) {
                try SystemError.retrying { () throws(SystemError) in
                    try fileSystem.makeDirectory(path.string)
                }
            } catch {
                // Another process, or another download, may have been faster.
                if error.number == EEXIST, try path.isDirectory(on: fileSystem) { continue }
                throw FileFailure(.createDirectory, path: path.string, error: error)
            }
        }
    }

    /// False where nothing is; whatever else is there is an error.
    private func isDirectory(on fileSystem: FileSystem) throws(FileFailure) -> Bool {
        do throws(SystemError) {
            let status = try SystemError.retrying { () throws(SystemError) in
                try fileSystem.statusOfPath(string, true)
            }
            if status.kind == .directory { return true }
        } catch  where error.number == ENOENT && string != "/" {
            return false
        } catch {
            throw FileFailure(.createDirectory, path: string, error: error)
        }
        throw FileFailure(.createDirectory, path: string, error: SystemError(ENOTDIR))
    }

    /// Waits until the names in this directory are on the disk.
    func synchronizeDirectory(on fileSystem: FileSystem) throws(FileFailure) {
        let descriptor = try FileFailure.describing(.synchronize, string) {
            () throws(SystemError) in
            try fileSystem.open(string, O_RDONLY | O_DIRECTORY)
        }
        defer { fileSystem.close(descriptor) }
        do {
            try SystemError.retrying { () throws(SystemError) in
                try fileSystem.synchronize(descriptor)
            }
        } catch  where error.number == EINVAL || error.number == EOPNOTSUPP {
            // The file system writes its directories by itself and has no call for it.
        } catch {
            throw FileFailure(
                .synchronize, path: string, error: error,
                advice: "the file is at its destination, but a power cut may undo that"
            )
        }
    }
}
