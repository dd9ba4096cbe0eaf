import Foundation

/// A program from the system's packages.
struct InstalledProgram {
    let name: String

    /// Looks where servers live too, which is not on every user's PATH.
    func locate() throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let directories = path.split(separator: ":") + ["/usr/sbin", "/usr/bin", "/sbin"]
        for directory in directories {
            let file = "\(directory)/\(name)"
            if FileManager.default.isExecutableFile(atPath: file) { return file }
        }
        throw ServerFailure("\(name) is missing: run scripts/setup --dev, which installs it")
    }
}
