import Foundation

/// A program the benchmark needs from the system's packages.
struct InstalledProgram {
    let name: String

    /// Looks where servers live too, which is not on every user's PATH.
    func locate() throws -> URL {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let directories =
            path.split(separator: ":").map(String.init)
            + ["/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin", "/usr/local/bin"]
        for directory in directories {
            let file = URL(fileURLWithPath: directory).appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: file.path) {
                return file
            }
        }
        throw BenchmarkFailure(
            "\(name) is missing: install it, for example with apt-get install \(name)"
        )
    }
}
