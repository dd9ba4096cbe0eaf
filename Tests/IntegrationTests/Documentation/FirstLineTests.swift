import BluebonnetTestSupport
import Testing

@Suite("The first lines that a newcomer writes")
struct FirstLineTests {
    @Test(
        "right ones compile without a warning, also beside the chain and targets",
        arguments: ["Bluebonnet", "BluebonnetTargets"])
    func right(module: String) throws {
        let (text, places) = FirstLine.program(FirstLine.right, importing: module)
        for diagnostic in try SwiftCompiler.check(["right.swift": text]) {
            let number = places.firstIndex { $0.contains(diagnostic.line) }
            let code = number.map { FirstLine.right[$0].code } ?? "the prelude"
            Issue.record("\(diagnostic)\n\(code)")
        }
    }

    @Test(
        "wrong ones get an error in the statement, and never \"failed to produce diagnostic\"",
        arguments: ["Bluebonnet", "BluebonnetTargets"])
    func wrong(module: String) throws {
        let (text, places) = FirstLine.program(FirstLine.wrong, importing: module)
        let diagnostics = try SwiftCompiler.check(["wrong.swift": text])
        for diagnostic in diagnostics where diagnostic.severity == .error {
            #expect(!diagnostic.message.contains("failed to produce"), "\(diagnostic)")
            #expect(!diagnostic.message.contains("reasonable time"), "\(diagnostic)")
            let isInStatement = places.contains { $0.contains(diagnostic.line) }
            #expect(isInStatement, "\(diagnostic)")
        }
        for (line, place) in zip(FirstLine.wrong, places) {
            let errors = diagnostics.filter {
                $0.severity == .error && place.contains($0.line)
            }
            #expect(!errors.isEmpty, "accepted: \(line.code)")
            // With the chain, the compiler can speak of another form.
            guard let expected = line.error, module == "Bluebonnet" else { continue }
            let isSaid = errors.contains { $0.message.contains(expected) }
            #expect(isSaid, "\(line.code)\n\(errors)")
        }
    }

    @Test("a misspelt case in a handler is told where it stands, whatever the verb's form")
    func misspeltCase() throws {
        let calls = [
            #"api.get("x") { r in"#, #"api.post("x", parameters: user) { r in"#,
            #"api.put("x", parameters: ["a": 1, "b": [nil]]) { r in"#,
            #"api.patch("x", parameters: Parameters(dict), options: .timeout(1)) { r in"#,
            #"api.delete("x", as: User.self) { r in"#,
            #"api.get("x", serializer: .string, options: [.deadline(2), .cookies(false)]) { r in"#,
            #"api.head("x") { r in"#,
            #"api.upload(.data(Data()), to: "x") { r in"#,
        ]
        let body =
            "\nswitch r.result {\ncase .succes(let v): print(v)\ncase .failure(let e): print(e)\n}\n}"
        let lines = calls.flatMap { [FirstLine.sync($0 + body), .async($0 + body)] }
        let (text, places) = FirstLine.program(lines)
        let errors = try SwiftCompiler.check(["switch.swift": text]).filter {
            $0.severity == .error
        }
        for (line, place) in zip(lines, places) {
            let own = errors.filter { place.contains($0.line) }
            // The line of the case, and none before it.
            #expect(
                !own.isEmpty && own.allSatisfy { $0.line == place.lowerBound + 2 },
                "\(line.code)\n\(own)")
        }
    }

    @Test("at the top level compile without a warning, which awaits of other calls would get")
    func topLevel() throws {
        let lines = FirstLine.topLevel.joined(separator: "\n")
        let text =
            "import Bluebonnet" + FirstLine.prelude + lines
            + "\napi.dataTask(.delete, \"x\").resume()\n"
        #expect(try SwiftCompiler.check(["main.swift": text]).map(\.description) == [])
    }

    @Test("at the top level throw the error of each call, which ends the program")
    func topLevelErrors() throws {
        // Nothing listens on the port.
        var text =
            "import Bluebonnet"
            + FirstLine.prelude.replacing("https://x.example/", with: "http://127.0.0.1:1/")
        text += "func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }\n"
        for line in FirstLine.topLevel {
            text += "do {\n\(line)\nsay(\"lost \")\n} catch { say(\"caught \") }\n"
        }
        text += "say(\"\\n\")\n\(FirstLine.topLevel[0])\nsay(\"lost\")\n"
        let compiler = try SnippetCompiler()
        let (path, diagnostics) = try compiler.compile(["main.swift": text])
        #expect(diagnostics == [])
        let run = "SWIFT_BACKTRACE=enable=no '\(try #require(path))' 2>&1 || echo ended"
        let output = String(decoding: try SystemCommand(shell: run).output(), as: UTF8.self)
        let caught = String(repeating: "caught ", count: FirstLine.topLevel.count)
        #expect(output.hasPrefix(caught + "\n"), "\(output)")
        #expect(output.contains("Error raised at top level"), "\(output)")
        #expect(output.hasSuffix("ended\n") && !output.contains("lost"), "\(output)")
    }
}
