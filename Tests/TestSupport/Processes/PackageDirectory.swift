package import Foundation

/// The directory of this package, in which tests find what is checked in.
package enum PackageDirectory {
    /// The closest directory above this file that holds a `Package.swift`.
    package static let url: URL = {
        var directory = URL(filePath: #filePath).deletingLastPathComponent()
        while directory.path != "/" {
            let manifest = directory.appending(path: "Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { return directory }
            directory.deleteLastPathComponent()
        }
        return URL(filePath: FileManager.default.currentDirectoryPath)
    }()

    /// A file or directory in it.
    package static func url(of path: String) -> URL { url.appending(path: path) }
}
