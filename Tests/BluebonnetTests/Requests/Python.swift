import Foundation

/// Runs Python, whose readers are not ours.
enum Python {
    /// The output of a script; nil where there is no Python.
    static func run(_ script: String, input: String) throws -> Data? {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // The status with which env says that there is no such program.
        return process.terminationStatus == 127 ? nil : data
    }
}
