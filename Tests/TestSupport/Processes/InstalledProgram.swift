import Foundation

/// A program from a package of the system.
package struct InstalledProgram: Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }

    /// Whether the program can be started.
    package var isThere: Bool { (try? locate()) != nil }

    /// Returns the program's path.
    ///
    /// It also searches the directories of servers, which are not on every user's PATH.
    package func locate() throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let directories =
            path.split(separator: ":").map(String.init) + [
                "/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin",
            ]
        for directory in directories {
            let file = "\(directory)/\(name)"
            if FileManager.default.isExecutableFile(atPath: file) { return file }
        }
        throw ServerFailure("\(name) is missing: run scripts/setup --dev, which installs it")
    }
}
