package import Foundation
import Glibc

/// A temporary directory that only its server uses, and that is removed with it.
package final class ServerDirectory: Sendable {
    package let path: String

    /// Makes a directory for a server, or for another purpose that its name tells.
    package init(for purpose: String = "server") throws {
        let template =
            FileManager.default.temporaryDirectory.path + "/bluebonnet-\(purpose)-XXXXXX"
        path = try template.withCString { text in
            guard let copy = strdup(text) else { throw ServerFailure("out of memory") }
            defer { free(copy) }
            guard mkdtemp(copy) != nil else {
                throw ServerFailure(
                    "\(template) cannot be made: \(String(cString: strerror(errno)))")
            }
            return String(cString: copy)
        }
    }

    deinit {
        remove()
    }

    /// Removes the directory before the object ends, where the process ends without that.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    package var url: URL { URL(fileURLWithPath: path) }

    /// The path of a file in the directory, which need not exist.
    package func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    package func file(_ name: String) -> URL { URL(fileURLWithPath: path(of: name)) }

    package func write(_ data: Data, to name: String) throws {
        let file = file(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    package func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// What the file holds so far; nothing where there is none.
    package func text(of name: String) -> String {
        String(decoding: data(of: name), as: UTF8.self)
    }

    /// What the file holds so far, read without the memory that Foundation leaks for empty ones.
    package func data(of name: String) -> Data {
        guard let file = FileHandle(forReadingAtPath: path(of: name)) else { return Data() }
        return (try? file.readToEnd()) ?? Data()
    }
}
