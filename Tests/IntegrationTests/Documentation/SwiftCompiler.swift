import BluebonnetTestSupport
import Foundation

/// The Swift compiler, for the module that the tests are linked with: what it says of a program.
struct SwiftCompiler {
    struct Diagnostic: CustomStringConvertible {
        enum Severity: String {
            case error, warning, note
        }

        var file: String
        var line: Int
        var severity: Severity
        var message: String

        var description: String { "\(file):\(line): \(severity): \(message)" }
    }

    /// What it says of sources that are checked, and not compiled; by their names.
    static func check(_ sources: [String: String]) throws -> [Diagnostic] {
        let directory = try ServerDirectory()
        for (name, text) in sources { try directory.write(Data(text.utf8), to: name) }
        var arguments = try ["-typecheck"] + moduleArguments()
        arguments += sources.keys.sorted()
        let swiftc = try InstalledProgram(name: "swiftc").locate()
        let command = ([swiftc] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let output = try SystemCommand(shell: "\(command) 2>&1 || true", in: directory).output()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap {
            Diagnostic($0)
        }
    }

    /// The directory of the test bundle's program, which holds what was built.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// What it takes to import the modules that the tests are linked with.
    static func moduleArguments() throws -> [String] {
        let folders = try [PackageDirectory.url(of: "Sources"), products].flatMap { folder in
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        // Those of the C targets, which the compiler wants to see though no program imports them.
        let maps = folders.filter { $0.lastPathComponent.hasPrefix("CBluebonnet") }
            .map { $0.appending(path: "module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
        let features = ["ExistentialAny", "MemberImportVisibility"]
        return ["-swift-version", "6", "-diagnostic-style=llvm"]
            + features.flatMap { ["-enable-upcoming-feature", $0] }
            + ["-I", products.appending(path: "Modules").path]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }
}

extension SwiftCompiler.Diagnostic {
    /// Reads `path:line:column: severity: message`; nil for everything else, such as lines of code.
    init?(_ text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let line = Int(parts[1]), Int(parts[2]) != nil,
            let severity = Severity(rawValue: parts[3].trimmingCharacters(in: .whitespaces))
        else {
            // Errors of the compiler itself have no place.
            guard text.hasPrefix("<unknown>:0: error:") else { return nil }
            self.init(file: "<unknown>", line: 0, severity: .error, message: String(text))
            return
        }
        self.init(
            file: String(parts[0].split(separator: "/").last ?? ""), line: line,
            severity: severity, message: parts[4].trimmingCharacters(in: .whitespaces))
    }
}
