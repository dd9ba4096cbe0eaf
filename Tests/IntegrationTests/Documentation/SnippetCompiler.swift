import BluebonnetTestSupport
import Foundation

/// The Swift compiler, with the modules that the tests are linked with.
struct SnippetCompiler {
    private let directory: ServerDirectory

    init() throws {
        directory = try ServerDirectory(for: "snippets")
    }

    /// Returns the errors and warnings of snippets, each with the article's name and the line.
    func check(_ snippets: [Snippet]) throws -> [String] {
        try check(excerpts: snippets.filter { !$0.isManifest })
            + snippets.filter(\.isManifest).flatMap(check(manifest:))
    }

    /// All of them are one module, in which a file holds those of one article with the same imports.
    private func check(excerpts: [Snippet]) throws -> [String] {
        let groups = Dictionary(grouping: excerpts.enumerated()) { _, snippet in
            [snippet.file] + snippet.imports.sorted()
        }
        try directory.write(Snippet.prelude, to: "prelude.swift")
        var files = ["prelude.swift"]
        for (group, snippets) in groups {
            let imports = Set(group.dropFirst() + ["import Bluebonnet"]).sorted()
            let declarations = snippets.map { index, snippet in
                snippet.declaration(named: "snippet\(index)")
            }
            let file = "snippets\(files.count).swift"
            let text = (imports + declarations).joined(separator: "\n")
            try directory.write(text, to: file)
            files.append(file)
        }
        return try diagnostics(
            of: ["-typecheck", "-wmo", "-module-name", "Snippets"] + SwiftCompiler.moduleArguments()
                + files)
    }

    private func check(manifest: Snippet) throws -> [String] {
        let location = "#sourceLocation(file: \"\(manifest.file)\", line: \(manifest.line))\n"
        try directory.write(location + manifest.text, to: "Package.swift")
        let resources = try targetInfo().paths.runtimeResourcePath
        return try diagnostics(of: [
            "-typecheck", "-swift-version", "6", "-package-description-version", "6.3.0",
            "-I", "\(resources)/pm/ManifestAPI", "-diagnostic-style=llvm", "Package.swift",
        ])
    }

    /// Compiles and links a program.
    ///
    /// - Returns: Its path, in a directory that lasts as long as the compiler.
    /// - Throws: ``ServerFailure`` with what the compiler says, warnings too.
    func program(_ text: String) throws -> String {
        try directory.write(text, to: "main.swift")
        let errors = try diagnostics(
            of: ["-o", "program", "main.swift"] + SwiftCompiler.moduleArguments() + linkArguments())
        let path = directory.path(of: "program")
        guard errors.isEmpty, FileManager.default.isExecutableFile(atPath: path) else {
            throw ServerFailure(errors.joined(separator: "\n"))
        }
        return path
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
            "Bluebonnet", "BluebonnetTransport", "CBluebonnet", "CBluebonnetJSON", "CBluebonnetXML",
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
            + ["-lsimdjson", "-lstdc++"] + sanitizers
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
