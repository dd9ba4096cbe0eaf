import BluebonnetTransport
import Foundation

/// A file of a form, in the state in which it was appended.
///
/// The file is open only while it is read, so a form can have more files than a process can open.
package struct MultipartFile: Sendable {
    package let url: URL
    private let fileSystem: FileSystem
    private let path: FilePath
    private let status: FileStatus

    /// Creates the file after checking that it is a regular file that can be read.
    init(_ url: URL, on fileSystem: FileSystem) throws(FileFailure) {
        path = try FilePath(url, for: .open)
        status = try UploadFile(url, fileSystem: fileSystem).status
        self.url = url
        self.fileSystem = fileSystem
    }

    var length: Int64 { status.size }

    /// The last component of the path.
    var name: String { String(path.name) }

    /// Opens the file, which must be unchanged.
    func open() throws(FileFailure) -> UploadFile {
        let file = try UploadFile(url, fileSystem: fileSystem)
        try compare(with: file.status)
        return file
    }

    /// Checks that the file is unchanged, without opening it.
    func check() throws(FileFailure) {
        let now = try FileFailure.describing(
            .inspect, path.string, advice: "leave the file in place until it has been sent"
        ) { () throws(SystemError) in
            try fileSystem.statusOfPath(path.string, true)
        }
        try compare(with: now)
    }

    private func compare(with now: FileStatus) throws(FileFailure) {
        if now.identity != status.identity { throw changed("it was replaced") }
        if now.size != status.size {
            throw changed("it has \(now.size) bytes instead of \(status.size)")
        }
        if now.modificationTime != status.modificationTime { throw changed("it was written to") }
    }

    private func changed(_ what: String) -> FileFailure {
        FileFailure(
            .read, path: path.string,
            message: "\(what) after it was appended; append it when it no longer changes"
        )
    }
}
