import BluebonnetTestSupport
import Foundation

/// The Swift compiler, for programs that are linked with the library as the tests are.
struct SnippetCompiler {
    private let directory: ServerDirectory

    init() throws {
        directory = try ServerDirectory(for: "snippets")
    }

    /// Compiles and links a program from its sources, by their names.
    ///
    /// - Returns: The errors and warnings, each with its file and line, and the program's path unless
    ///   there is an error. The program's directory lasts as long as the compiler.
    func compile(_ sources: [String: String]) throws -> (program: String?, diagnostics: [String]) {
        for (name, text) in sources { try directory.write(text, to: name) }
        let diagnostics = try diagnostics(
            of: ["-Onone", "-j", "2", "-module-name", "Snippets", "-o", "program"]
                + sources.keys.sorted() + SwiftCompiler.moduleArguments() + linkArguments())
        let path = directory.path(of: "program")
        let isThere = FileManager.default.isExecutableFile(atPath: path)
        return (isThere ? path : nil, diagnostics)
    }

    /// Returns the errors and warnings of a `Package.swift`, each with the article's name and the line.
    func check(manifest: Snippet) throws -> [String] {
        let location = "#sourceLocation(file: \"\(manifest.file)\", line: \(manifest.line))\n"
        try directory.write(location + manifest.text, to: "Package.swift")
        let resources = try targetInfo().paths.runtimeResourcePath
        return try diagnostics(of: [
            "-typecheck", "-swift-version", "6", "-package-description-version", "6.3.0",
            "-I", "\(resources)/pm/ManifestAPI", "-diagnostic-style=llvm", "Package.swift",
        ])
    }

    // MARK: The command

    /// Runs the compiler; returns its errors and warnings, or all that it said if it failed otherwise.
    private func diagnostics(of arguments: [String]) throws -> [String] {
        let swiftc = try InstalledProgram(name: "swiftc").locate()
        try directory.write(
            arguments.map { "\"\($0)\"\n" }.joined(), to: "arguments")
        let line = "'\(swiftc)' @arguments 2>&1 || echo failed"
        let output = try SystemCommand(shell: line, in: directory).output()
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        let found = lines.filter {
            // What the linker says of the sanitizer's own runtime.
            ($0.contains(": error: ") || $0.contains(": warning: "))
                && !$0.contains("export local symbol '__asan")
        }
        return found.isEmpty && lines.last == "failed" ? lines : found
    }

    /// The objects of the library that the tests are linked with, and the system's libraries.
    private func linkArguments() throws -> [String] {
        let list = SwiftCompiler.products.appending(
            path: "BluebonnetPackageTests.product/Objects.LinkFileList")
        let modules = [
            "Bluebonnet", "BluebonnetCache", "BluebonnetChain", "BluebonnetFixtureServer",
            "BluebonnetSQLiteCache", "BluebonnetTargets", "BluebonnetTargetsTesting",
            "BluebonnetTesting", "BluebonnetTransport", "CBluebonnet", "CBluebonnetJSON",
            "CBluebonnetSQLite", "CBluebonnetXML",
        ]
        let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: ["'"]) }
            .filter { object in modules.contains { object.contains("/\($0).build/") } }
        let packages = [
            "libcurl", "openssl", "zlib", "libbrotlidec", "libzstd", "libxml-2.0", "libpsl",
        ]
        let libraries = try SystemCommand("pkg-config", ["--libs"] + packages).output()
        return objects
            + String(decoding: libraries, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .map(String.init)
            + ["-lsimdjson", "-lsqlite3", "-lstdc++"] + sanitizers
    }

    /// Objects that are built for a sanitizer need its runtime.
    private var sanitizers: [String] {
        let options = ["__tsan_init": "thread", "__asan_init": "address"]
        return options.compactMap { symbol, name in
            dlsym(nil, symbol) == nil ? nil : "-sanitize=\(name)"
        }
    }

    private struct TargetInfo: Decodable {
        struct Paths: Decodable {
            var runtimeResourcePath: String
        }

        var paths: Paths
    }

    private func targetInfo() throws -> TargetInfo {
        let output = try SystemCommand("swiftc", ["-print-target-info"]).output()
        return try JSONDecoder().decode(TargetInfo.self, from: output)
    }
}
