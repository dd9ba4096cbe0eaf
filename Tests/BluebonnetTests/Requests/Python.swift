import Foundation
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
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = executable
        process.arguments = ["-c", script]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus)
        }
        return data
    }
}
