import Bluebonnet
import Testing

@testable import BluebonnetTour

@Suite("The arguments of a fetch")
struct FetchParserTests {
    private static let url = "http://a.test/"

    private func options(_ arguments: String...) throws(UsageError) -> FetchOptions {
        guard let options = try FetchParser.options(arguments + [Self.url]) else {
            throw UsageError("help")
        }
        return options
    }

    private func refusal(_ arguments: String...) -> String? {
        do throws(UsageError) {
            _ = try FetchParser.options(arguments)
            return nil
        } catch {
            return error.text
        }
    }

    @Test("URLs alone are fetched in their order, with nothing else asked for")
    func plain() throws {
        var expected = FetchOptions()
        expected.urls = ["http://b.test", Self.url]
        #expect(try options("http://b.test") == expected)
    }

    @Test("each option has its effect, by each of its names")
    func each() throws {
        for name in ["-v", "--verbose"] { #expect(try options(name).isVerbose) }
        for name in ["-i", "--include"] { #expect(try options(name).includesHead) }
        for name in ["-f", "--fail"] { #expect(try options(name).failsAtErrors) }
        for name in ["-L", "--follow", "--location"] {
            #expect(try options(name).followsRedirects)
        }
        for name in ["-o", "--output"] {
            #expect(try options(name, "f").destination == .file("f"))
        }
        for name in ["-O", "--remote-name"] {
            #expect(try options(name).destination == .suggestedName)
        }
        for name in ["-d", "--data"] {
            #expect(try options(name, "a=b").body == .form([.text("a=b")]))
        }
        for name in ["-X", "--request"] { #expect(try options(name, "PUT").method == "PUT") }
        for name in ["-H", "--header"] {
            let field = HTTPHeaders.Field(name: "A-B", value: "c: d")
            #expect(try options(name, "A-B:  c: d ").fields == [field])
        }
        for name in ["-u", "--user"] {
            let login = FetchOptions.Login(user: "me", password: "a:b")
            #expect(try options(name, "me:a:b").login == login)
        }
        for name in ["--timeout", "-m", "--max-time"] {
            #expect(try options(name, "0.5").timeout == 0.5)
        }
        #expect(try options("--retry", "3").retryLimit == 3)
        #expect(
            try options("--json", "a=b").body == .json([.member(name: "a", value: #""b""#)]))
        for name in ["-h", "--help"] { #expect(try FetchParser.options([name, "-x"]) == nil) }
    }

    @Test("a value stands behind its option, in the same word or in the next")
    func values() throws {
        #expect(try options("-of", "-XPUT").destination == .file("f"))
        #expect(try options("-of", "-XPUT").method == "PUT")
        #expect(try options("--output=f=g").destination == .file("f=g"))
        #expect(try options("-H", "A:").fields == [.init(name: "A", value: "")])
        #expect(try options("-d", "-v").body == .form([.text("-v")]))
        let joined = try options("-vLo", "f")
        #expect(joined.isVerbose && joined.followsRedirects && joined.destination == .file("f"))
    }

    @Test("nothing behind two dashes is an option")
    func end() throws {
        #expect(
            refusal("--", "-v") == "URL 1 does not begin with http:// or https://, or has no host")
        #expect(try options("-v", "--").isVerbose)
    }

    @Test("a lone dash is standard output or input, also of a terminal")
    func dash() throws {
        #expect(try options("-o-").isRaw)
        #expect(try options("-o", "-").destination == .standardOutput)
        #expect(try !options("-v").isRaw)
        #expect(try options("-d", "-").body == .form([.standardInput]))
        #expect(try options("-d", "@-", "-d@f").body == .form([.standardInput, .file("f")]))
        #expect(try options("--json", "-").body == .json([.document(.standardInput)]))
    }

    @Test("a user without a colon has no password, and one with a colon has, if an empty one")
    func users() throws {
        #expect(try options("-u", "me").login == .init(user: "me", password: nil))
        #expect(try options("-u", "me:").login == .init(user: "me", password: ""))
    }

    @Test(
        "what cannot be followed is refused in one line that tells what to do",
        arguments: [
            ([], "there is no URL to fetch"),
            (["-v"], "there is no URL to fetch"),
            (["-x", url], "unknown option -x"),
            (["-vx", url], "unknown option -x"),
            (["--user-agent=x", url], "unknown option --user-agent"),
            (["-\u{1B}[2J", url], "unknown option -?"),
            (["--verbose=1", url], "--verbose takes no value"),
            ([url, "-o"], "-o takes the name of a file"),
            (["-o", "", url], "-o takes the name of a file"),
            (["-o", "f", "-O", url], "-o and -O are two places for one body; give one of them"),
            (["-o", "f", url, url], "-o takes one URL, and here are 2; use -O"),
            (["-X", "GE T", url], "-X takes a method such as PUT"),
            (["--request", "", url], "--request takes a method such as PUT"),
            (["--timeout", "0", url], "--timeout takes a number of seconds above 0"),
            (["--timeout", "nan", url], "--timeout takes a number of seconds above 0"),
            (["--timeout", "inf", url], "--timeout takes a number of seconds above 0"),
            (["--retry", "-1", url], "--retry takes a number from 0 to 100"),
            (
                ["-d", "a", "--json", "{}", url],
                "-d and --json are two bodies for one request; give one of them"
            ),
            (
                ["--json", "{}", "--json", "a=b", url],
                "a JSON document stands alone; give one --json"
            ),
            ([url, "--serve"], "--serve stands alone: scripts/tour --serve [PORT]"),
        ] as [([String], String)])
    func refused(arguments: [String], text: String) {
        #expect(throws: UsageError(text)) { try FetchParser.options(arguments) }
    }

    @Test(
        "no refusal repeats a value, which may be a password",
        arguments: [
            ["--user=", url], ["--pass=hunter2", url], ["-qhunter2", url], ["-u", ":hunter2", url],
            ["-H", "hunter2", url], ["-H", "a b: hunter2", url], ["-H", "a: hunter2\r\nb: c", url],
            ["--json", "{hunter2", url], ["--json", "hunter2", url], ["--json", "a:=hunter2", url],
            ["--timeout", "hunter2", url], ["--retry", "hunter2", url], ["-X", "hunter2 ", url],
            ["hunter2@a.test"], ["http://me:hunter2@"], [url, "http://me:hun/ter2@a.test"],
        ])
    func secrets(arguments: [String]) throws {
        let error = try #require(throws: UsageError.self) { try FetchParser.options(arguments) }
        for secret in ["hunter2", "hun/", "ter2"] { #expect(!error.text.contains(secret)) }
        #expect(!error.text.contains("\n"))
    }

    @Test("every option is in the usage, by its first two names")
    func documented() {
        for option in FetchOption.allCases {
            for name in option.names {
                let count = TourUsage.text.ranges(of: "\(name)").count
                #expect(count > 0, "\(name)")
            }
        }
    }
}
