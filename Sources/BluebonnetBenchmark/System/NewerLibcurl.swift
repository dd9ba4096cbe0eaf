import Foundation

/// The libcurl with which HTTP/2 is measured, in a folder that the script names.
enum NewerLibcurl {
    private static let variable = "BLUEBONNET_BENCHMARK_LIBCURL"

    static var isThere: Bool { folder != nil }

    /// What makes a process use it.
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
