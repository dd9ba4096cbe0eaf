import Glibc

/// The regular file that a new file takes the place of.
///
/// Only regular files are replaced. Of a symbolic link, the file that it leads to is replaced, and
/// the link stays.
package struct ReplacedFile: Sendable {
    /// The reason why nothing can be replaced at a path.
    package struct Refusal: Error, CustomStringConvertible {
        package let error: SystemError
        /// The problem and how to fix it; nil if the error explains itself.
        package let advice: String?

        package var description: String { error.explained(advice: advice) }
    }

    /// The path of the file itself, which a symbolic link can lead to.
    package let path: String
    /// The status of the file.
    package let status: FileStatus

    /// Finds the file at a path; returns nil if nothing exists there.
    package init?(at path: String, on fileSystem: FileSystem = .linux) throws(Refusal) {
        guard let named = try Self.status(of: path, followingLinks: false, on: fileSystem) else {
            return nil
        }
        guard named.kind == .symbolicLink else {
            try Self.check(named.kind, isTarget: false)
            (self.path, status) = (path, named)
            return
        }
        // The system's own look-up refuses links that others have put into a shared directory.
        guard let target = try Self.status(of: path, followingLinks: true, on: fileSystem) else {
            throw Refusal(
                error: SystemError(ENOENT),
                advice: "it is a symbolic link to a missing file; remove the link")
        }
        try Self.check(target.kind, isTarget: true)
        let real = try Self.calling { () throws(SystemError) in try fileSystem.realPath(path) }
        let found = try Self.status(of: real, followingLinks: false, on: fileSystem)
        guard found?.identity == target.identity else {
            throw Refusal(
                error: SystemError(EBUSY),
                advice: "the target of the symbolic link has changed meanwhile; try again")
        }
        (self.path, status) = (real, target)
    }

    private static func check(_ kind: FileStatus.Kind, isTarget: Bool) throws(Refusal) {
        switch kind {
        case .regular: return
        case .directory: throw Refusal(error: SystemError(EISDIR), advice: nil)
        case .symbolicLink, .pipe, .socket, .device:
            let what = isTarget ? "a symbolic link to \(kind.rawValue)" : kind.rawValue
            throw Refusal(
                error: SystemError(EEXIST),
                advice: "it is \(what), and only regular files are replaced; choose another name")
        }
    }

    private static func status(
        of path: String, followingLinks: Bool, on fileSystem: FileSystem
    ) throws(Refusal) -> FileStatus? {
        do throws(Refusal) {
            return try calling { () throws(SystemError) in
                try fileSystem.statusOfPath(path, followingLinks)
            }
        } catch {
            guard error.error.number == ENOENT else { throw error }
            return nil
        }
    }

    private static func calling<Value>(
        _ call: () throws(SystemError) -> Value
    ) throws(Refusal) -> Value {
        do throws(SystemError) {
            return try SystemError.retrying(call)
        } catch {
            throw Refusal(error: error, advice: nil)
        }
    }
}
