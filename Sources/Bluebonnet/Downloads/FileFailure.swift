import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Why a file could not be written, moved or read.
public struct FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was being done to the file.
    @nonexhaustive
    public enum Operation: String, Sendable, Hashable {
        /// Making a directory.
        case createDirectory = "create the directory"
        /// Making a file.
        case create
        /// Opening a file that is there.
        case open
        /// Asking for a file's size, time or kind.
        case inspect
        /// Reading a file's bytes.
        case read
        /// Writing bytes or reserving room for them.
        case write
        /// Cutting a file to a length.
        case truncate
        /// Waiting until bytes or names are on the disk (`fsync`).
        case synchronize
        /// Giving a complete file its permissions, its place and its name.
        case move
    }

    /// What was being done.
    public let operation: Operation
    /// The path of the file or directory that it was done to; a download's destination where that
    /// cannot be made.
    public let path: String
    /// The system's error number; nil where it was not a system call that failed.
    public let systemErrorNumber: Int32?
    /// What is wrong and what to do about it.
    public let message: String

    private init(
        operation: Operation, path: String, systemErrorNumber: Int32?, message: String
    ) {
        self.operation = operation
        self.path = path
        self.systemErrorNumber = systemErrorNumber
        self.message = message
    }

    /// A failure that is not the system's.
    init(_ operation: Operation, path: String, message: String) {
        self.init(operation: operation, path: path, systemErrorNumber: nil, message: message)
    }

    /// A failure of a system call; the advice for its number unless there is better.
    init(_ operation: Operation, path: String, error: SystemError, advice: String? = nil) {
        self.operation = operation
        self.path = path
        systemErrorNumber = error.number
        let advice = advice ?? Self.advice(for: error.number)
        message = ([error.message] + (advice.map { [$0] } ?? [])).joined(separator: "; ")
    }

    /// The failure as one of the file that a download was to become.
    ///
    /// What failed may be a directory above that file, or a temporary file beside it.
    func concerning(_ destination: URL) -> FileFailure {
        let file =
            destination.isFileURL ? destination.path : destination.absoluteString.withoutURLSecrets
        let directory = destination.deletingLastPathComponent().path
        guard path != file else { return self }
        let reason =
            path == directory && operation != .createDirectory
            ? "its directory \(path.quoted): \(message)"
            : "could not \(operation.rawValue) \(path.quoted): \(message)"
        return FileFailure(
            operation: operation == .createDirectory ? .create : operation, path: file,
            systemErrorNumber: systemErrorNumber, message: reason)
    }

    /// The operation, the path, and what is wrong with it.
    public var description: String {
        let number = systemErrorNumber.map { " (error \($0))" } ?? ""
        return "could not \(operation.rawValue) \(path.quoted): \(message)\(number)"
    }

    /// The code that `URLSession` gives for such a failure.
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
        case EFBIG: "the file system or the process's limits allow no file of that size"
        case EACCES, EPERM: "give this process's user the right to it, or choose another place"
        case EROFS: "choose a directory that can be written to"
        case ENOENT: "make the directory, or pass createIntermediateDirectories"
        case ENOTDIR: "a part of the path is a file; choose another path"
        case EEXIST: "remove what is there, choose another name, or pass removePreviousFile"
        case EISDIR: "name a file in that directory"
        case EMFILE, ENFILE: "close files, or raise the limit of open ones"
        case ENAMETOOLONG: "choose a shorter name"
        case EIO: "the disk failed; look at the system's log"
        default: nil
        }
    }
}

extension FileFailure {
    /// Runs system calls, again where a signal interrupts one, and says of what they failed at.
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
