import Foundation

/// The machine on which the figures were measured.
struct Machine: Codable, Sendable {
    let processor: String
    let cores: Int
    let memoryMebibytes: Int
    let system: String
    let kernel: String

    static func current() -> Machine {
        let information = ProcessInfo.processInfo
        return Machine(
            processor: field("model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown",
            cores: information.activeProcessorCount,
            memoryMebibytes: Int(information.physicalMemory / 1_048_576),
            system: field("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "Linux",
            kernel: text(of: "/proc/sys/kernel/osrelease")
        )
    }

    var summary: String {
        "\(processor), \(cores) cores, \(memoryMebibytes) MiB, \(system), Linux \(kernel)"
    }

    private static func field(
        _ name: String, in file: String, separator: Character
    ) -> String? {
        let line = text(of: file).split(separator: "\n").first { $0.hasPrefix(name) }
        let value = line?.split(separator: separator, maxSplits: 1).last
        return value?.trimmingCharacters(in: .whitespaces.union(["\""]))
    }

    private static func text(of file: String) -> String {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
