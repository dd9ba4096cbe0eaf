import Foundation
import Glibc
import Testing

/// Runs Python, whose readers are not ours.
enum Python {
    /// What a test that is skipped without it says.
    static let comment: Comment = "needs python3: run scripts/setup --dev, which installs it"

    /// Where it is; nil where it is not installed.
    private static let executable: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let files = path.split(separator: ":").map { URL(filePath: "\($0)/python3") }
        return files.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Whether the tests that need it can run.
    static var isInstalled: Bool { executable != nil }

    struct Failure: Error { var status: Int32 }

    /// The output of a script.
    static func run(_ script: String, input: String) throws -> Data {
        guard let executable else { throw Failure(status: 127) }
        let name = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-\(UUID().uuidString)").path
        let (program, file) = (URL(filePath: name + ".py"), URL(filePath: name))
        defer { for url in [program, file] { try? FileManager.default.removeItem(at: url) } }
        try Data(script.utf8).write(to: program)
        try Data(input.utf8).write(to: file)
        // Not Foundation's Process, which leaks.
        guard let pipe = popen("'\(executable.path)' '\(program.path)' < '\(file.path)'", "re")
        else {
            throw Failure(status: errno)
        }
        var (output, buffer) = (Data(), [UInt8](repeating: 0, count: 64 * 1024))
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            output.append(contentsOf: buffer[..<count])
        }
        let status = pclose(pipe)
        guard status == 0 else { throw Failure(status: status) }
        return output
    }
}
