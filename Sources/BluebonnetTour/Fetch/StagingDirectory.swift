import Bluebonnet
import Glibc

/// A hidden directory beside a destination, for a file that is not complete.
///
/// ``remove()`` removes everything of an unfinished download at once, also of one that could be
/// resumed.
struct StagingDirectory {
    /// The system's error number.
    struct Failure: Error {
        let number: Int32
    }

    private let directory: URL

    init(in parent: URL) throws(Failure) {
        let template = parent.appending(path: ".bluebonnet-tour-XXXXXX").path
        var path = Array(template.utf8CString)
        guard mkdtemp(&path) != nil else { throw Failure(number: errno) }
        let bytes = path.dropLast().map { UInt8(bitPattern: $0) }
        directory = URL(filePath: String(decoding: bytes, as: UTF8.self))
    }

    /// The place of the file until it is complete.
    var file: URL { directory.appending(path: "file") }

    /// Moves the file to its destination, with the permissions of the file that it replaces.
    func move(to place: URL, replaces: Bool, mode: UInt32?) throws(Failure) {
        if let mode { chmod(file.path, mode & 0o777) }
        // A hard link never replaces a file. The first name is removed with the directory.
        let status = replaces ? rename(file.path, place.path) : link(file.path, place.path)
        guard status == 0 else { throw Failure(number: errno) }
    }

    func remove() {
        try? FileManager.default.removeItem(at: directory)
    }
}
