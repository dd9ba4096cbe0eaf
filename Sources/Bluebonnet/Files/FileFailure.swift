import BluebonnetTransport
import Foundation
import FoundationNetworking

/// An error that describes why a file could not be written, moved or read.
public struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// An operation on a file or a directory.
    @nonexhaustive
    public enum Operation: String, Sendable, Hashable {
        /// Creating a directory.
        case createDirectory = "create the directory"
        /// Creating a file.
        case create
        /// Opening an existing file.
        case open
        /// Reading the size, time or type of a file.
        case inspect
        /// Reading the bytes of a file.
        case read
        /// Writing bytes or reserving space for them.
        case write
        /// Truncating a file.
        case truncate
        /// Waiting until bytes or directory entries are on disk (`fsync`).
        case synchronize
        /// Setting the permissions of a complete file and moving it to its destination.
        case move
    }

    /// The operation that failed.
    public let operation: Operation
    /// The path of the file or directory; the destination of a download if that cannot be created.
    public let path: String
    /// The system's error number (`errno`); nil if it was not a system call that failed.
    public let systemErrorNumber: Int32?
    /// A description of the problem and how to fix it.
    public let message: String

    private init(
        operation: Operation, path: String, systemErrorNumber: Int32?, message: String
    ) {
        self.operation = operation
        self.path = path
        self.systemErrorNumber = systemErrorNumber
        self.message = message
    }

    /// Creates a failure that does not come from a system call.
    init(_ operation: Operation, path: String, message: String) {
        self.init(operation: operation, path: path, systemErrorNumber: nil, message: message)
    }

    /// Creates a failure of a system call, with the default advice for its number unless `advice`
    /// is given.
    init(_ operation: Operation, path: String, error: SystemError, advice: String? = nil) {
        self.operation = operation
        self.path = path
        systemErrorNumber = error.number
        let advice = advice ?? Self.advice(for: error.number)
        message = ([error.message] + (advice.map { [$0] } ?? [])).joined(separator: "; ")
    }

    /// Returns the failure in terms of a download's destination.
    ///
    /// The operation might have failed on a directory above the destination, or on a temporary file
    /// next to it.
    func concerning(_ destination: URL) -> FileFailure {
        let file =
            destination.isFileURL ? destination.path : destination.absoluteString.withoutURLSecrets
        let directory = destination.deletingLastPathComponent().path
        guard path != file else { return self }
        let reason =
            if path == directory, operation != .createDirectory {
                "its directory \(path.quoted): \(message)"
            } else if operation == .write {
                // The name of the temporary file means nothing to the caller.
                message
            } else {
                "could not \(operation.rawValue) \(path.quoted): \(message)"
            }
        return FileFailure(
            operation: operation == .createDirectory ? .create : operation, path: file,
            systemErrorNumber: systemErrorNumber, message: reason)
    }

    /// The operation, the path and the problem.
    public var description: String {
        let number = systemErrorNumber.map { " (error \($0))" } ?? ""
        return "could not \(operation.rawValue) \(path.quoted): \(message)\(number)"
    }

    /// The code that `URLSession` reports for this kind of failure.
    var urlErrorCode: URLError.Code {
        switch operation {
        case .createDirectory, .create: .cannotCreateFile
        case .open where systemErrorNumber == ENOENT: .fileDoesNotExist
        case .open, .inspect, .read: .cannotOpenFile
        case .write, .truncate, .synchronize: .cannotWriteToFile
        case .move: .cannotMoveFile
        }
    }

    private static func advice(for number: Int32) -> String? {
        switch number {
        case ENOSPC, EDQUOT: "free some space, or choose a directory on another disk"
        case EFBIG: "the file exceeds the size limit of the file system or of the process"
        case EACCES, EPERM: "grant access to the user of this process, or choose another location"
        case EROFS: "choose a writable directory"
        case ENOENT: "create the directory, or pass createIntermediateDirectories"
        case ENOTDIR: "a component of the path is not a directory; choose another path"
        case EEXIST: "remove the existing file, choose another name, or pass removePreviousFile"
        case EISDIR: "choose the path of a file in that directory"
        case EMFILE, ENFILE: "close files, or raise the limit on open files"
        case ELOOP: "the symbolic links form a loop; remove them, or choose another path"
        case ENAMETOOLONG: "choose a shorter name"
        case EIO: "the disk failed; check the system log"
        default: nil
        }
    }
}

extension FileFailure {
    /// Runs a system call, retries it when a signal interrupts it, and throws its error as a
    /// ``FileFailure``.
    static func describing<Value>(
        _ operation: Operation,
        _ path: String,
        advice: String? = nil,
        _ call: () throws(SystemError) -> Value
    ) throws(FileFailure) -> Value {
        do {
            return try SystemError.retrying(call)
        } catch {
            throw FileFailure(operation, path: path, error: error, advice: advice)
        }
    }
}
