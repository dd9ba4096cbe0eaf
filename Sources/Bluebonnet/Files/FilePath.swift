import BluebonnetTransport
import Foundation

/// An absolute path in the form that system calls accept.
struct FilePath: Sendable, Hashable {
    let string: String

    /// Creates a path from a file URL.
    ///
    /// - Throws: A failure for other URLs, and for a path with a NUL, at which C would truncate it.
    init(_ url: URL, for operation: FileFailure.Operation) throws(FileFailure) {
        guard url.isFileURL else {
            throw FileFailure(
                operation, path: url.absoluteString.withoutURLSecrets,
                message: "the URL is not a file URL; create it with URL(fileURLWithPath:)"
            )
        }
        let path = url.path
        // `path` keeps a NUL percent-encoded, which is a different name.
        guard path.hasPrefix("/"), !path.utf8.contains(0), !url.absoluteString.contains("%00")
        else {
            throw FileFailure(
                operation, path: path,
                message: "the path is not absolute or contains a NUL; choose another path"
            )
        }
        string = path
    }

    init(unchecked string: String) {
        self.string = string
    }

    var url: URL { URL(fileURLWithPath: string, isDirectory: false) }

    /// The part after the last slash.
    var name: Substring { string[nameStart...] }

    /// The directory that contains the path; the parent of `/` is `/`.
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
    /// Creates this directory and its missing parents.
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
                // Another process or another download might have created it first.
                if error.number == EEXIST, try path.isDirectory(on: fileSystem) { continue }
                throw FileFailure(.createDirectory, path: path.string, error: error)
            }
        }
    }

    /// Returns whether a directory exists at the path; throws if something else exists there.
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

    /// Waits until the entries of this directory are on disk.
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
            // The file system writes its directories by itself and does not support this call.
        } catch {
            throw FileFailure(
                .synchronize, path: string, error: error,
                advice: "the file is at its destination, but a power failure can undo the move"
            )
        }
    }
}
