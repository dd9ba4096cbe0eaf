import Foundation

/// The libcurl for the measurements of HTTP/2, in a folder that `scripts/benchmark` passes.
enum NewerLibcurl {
    private static let variable = "BLUEBONNET_BENCHMARK_LIBCURL"

    static var isThere: Bool { folder != nil }

    /// The environment variables that make a process use this libcurl.
    static var environment: [String: String] {
        guard let folder else { return [:] }
        let rest = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" }
        return ["LD_LIBRARY_PATH": folder + (rest ?? "")]
    }

    private static var folder: String? {
        let folder = ProcessInfo.processInfo.environment[variable]
        return folder?.isEmpty == false ? folder : nil
    }
}
