/// The checksum of a file from `sha256sum`, which shares no code with the library.
package enum FileChecksum {
    package static func sha256(of path: String) async throws -> String {
        let directory = try ServerDirectory()
        let program = try InstalledProgram(name: "sha256sum").locate()
        let child = try await ChildProcess.start(program, [path], in: directory, output: "sum")
        let status = try await child.wait(seconds: 60)
        let sum = directory.text(of: "sum")
        guard status == 0 else { throw ServerFailure("sha256sum failed for \(path): \(sum)") }
        return String(sum.prefix(64))
    }
}
