import Foundation
import Glibc

/// A temporary directory that only its server uses, removed with it.
final class ServerDirectory: Sendable {
    let path: String

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/bluebonnet-server-XXXXXX"
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
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the directory, which need not exist.
    func path(of name: String) -> String {
        "\(path)/\(name)"
    }

    func write(_ data: Data, to name: String) throws {
        let file = URL(fileURLWithPath: path(of: name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    /// What the file holds so far; nothing where there is none.
    func text(of name: String) -> String {
        String(decoding: data(of: name), as: UTF8.self)
    }

    /// What the file holds so far, read without the memory that Foundation leaks for empty ones.
    func data(of name: String) -> Data {
        guard let file = FileHandle(forReadingAtPath: path(of: name)) else { return Data() }
        return (try? file.readToEnd()) ?? Data()
    }
}
