package import Foundation

/// The directory of this package, which contains the files that are under version control.
package enum PackageDirectory {
    /// The closest directory above this file that contains a `Package.swift`.
    package static let url: URL = {
        var directory = URL(filePath: #filePath).deletingLastPathComponent()
        while directory.path != "/" {
            let manifest = directory.appending(path: "Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { return directory }
            directory.deleteLastPathComponent()
        }
        return URL(filePath: FileManager.default.currentDirectoryPath)
    }()

    /// Returns the URL of a file or directory in the package.
    package static func url(of path: String) -> URL { url.appending(path: path) }
}
