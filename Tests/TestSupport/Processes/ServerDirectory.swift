package import Foundation
import Glibc

/// A temporary directory for one server, which is removed when the object is released.
package final class ServerDirectory: Sendable {
    package let path: String

    /// Creates a directory for a server, or for another purpose, which becomes part of its name.
    package init(for purpose: String = "server", in parent: String? = nil) throws {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        let template = "\(parent)/bluebonnet-\(purpose)-XXXXXX"
        path = try template.withCString { text in
            guard let copy = strdup(text) else { throw ServerFailure("out of memory") }
            defer { free(copy) }
            guard mkdtemp(copy) != nil else {
                throw ServerFailure(
                    "could not create \(template): \(String(cString: strerror(errno)))")
            }
            return String(cString: copy)
        }
    }

    deinit {
        remove()
    }

    /// Removes the directory before the object is released, for a process that exits without
    /// releasing it.
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

    /// Returns the current text of a file, or an empty string if there is no file.
    package func text(of name: String) -> String {
        String(decoding: data(of: name), as: UTF8.self)
    }

    /// Returns the current content of a file, or no bytes if there is no file.
    ///
    /// It avoids `Data(contentsOf:)`, which leaks memory for an empty file.
    package func data(of name: String) -> Data {
        guard let file = FileHandle(forReadingAtPath: path(of: name)) else { return Data() }
        return (try? file.readToEnd()) ?? Data()
    }
}
