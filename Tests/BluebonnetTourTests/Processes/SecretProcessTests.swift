import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@testable import BluebonnetTour

extension TourProcessTests {
    @Suite("Logins and secrets of a fetch")
    struct Secrets {
        private let server: FixtureServer
        private var url: String { server.baseURL }
        private var authority: Substring { url.dropFirst("http://".count) }
        private static let login = "\(TourRoutes.user):\(TourRoutes.password)"

        init() throws {
            var routes = TourRoutes.all
            routes["/away"] = { request in
                let query = request.query ?? ""
                return .response(
                    status: 302,
                    headers: [
                        ("Location", "http://me:hunter2@127.0.0.1:1/a?token=hunter2"),
                        ("X-Echo", request.headers["Authorization"] ?? query),
                    ])
            }
            routes["/digest"] = { request in
                let field = request.headers["Authorization"] ?? ""
                guard !field.hasPrefix("Digest username=\"me\"") else { return .text("digest") }
                let challenge = #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="n""#
                return .response(status: 401, headers: [("WWW-Authenticate", challenge)])
            }
            server = try FixtureServer(routes: routes)
        }

        private func fetch(
            _ arguments: String...
        ) async throws -> (status: Int32, output: String, errors: String) {
            let tour = try await TourProcess.start(arguments)
            return (try await tour.wait(), tour.output, tour.errors)
        }

        @Test("-u and the login in a URL log in; -u counts where there are both")
        func login() async throws {
            let option = try await fetch("-u", Self.login, "\(url)/secret")
            #expect(option.output == TourRoutes.secret)
            let inURL = try await fetch("http://\(Self.login)@\(authority)/secret")
            #expect(inURL.output == TourRoutes.secret)
            let both = try await fetch("-u", Self.login, "http://me:no@\(authority)/secret")
            #expect(both.output == TourRoutes.secret)
            let wrong = try await fetch("-f", "-u", "me:no", "\(url)/secret")
            #expect(wrong.status == 1)
        }

        @Test("no output shows a password, and none goes to another origin")
        func hidden() async throws {
            let other = try FixtureServer()
            defer { other.stop() }
            let there = "\(url)/redirect-to?url=\(other.baseURL)/echo"
            let password = "hunter2"
            let results = [
                try await fetch("-v", "-i", "-u", "lupin:\(password)", "\(url)/away"),
                try await fetch("-v", "-i", "-L", "-u", "lupin:\(password)", "\(url)/away"),
                try await fetch("-v", "-L", "-u", "lupin:\(password)", there),
                try await fetch(
                    "-v", "http://lupin:\(password)@\(authority)/hang?key=\(password)", "--timeout",
                    "0.1"),
                try await fetch(
                    "-f", "http://lupin:\(password)@\(authority)/status/500?k=\(password)"),
                try await fetch("http://lupin:\(password)@127.0.0.1:1/?k=\(password)"),
                try await fetch("http://lupin:hunt er2@\(authority)/status/401", "-f"),
                try await fetch("-v", "-H", "X-Token: \(password)", "\(url)/away?a"),
            ]
            let base64 = Data("lupin:\(password)".utf8).base64EncodedString()
            for result in results {
                for secret in [password, base64, "hunt er2", "hunt%20er2"] {
                    #expect(!result.output.contains(secret), "\(result.output)")
                    #expect(!result.errors.contains(secret), "\(result.errors)")
                }
            }
            #expect(
                results[0].errors.contains("redirects to http://…@127.0.0.1:1/a?token=<redacted>"))
            #expect(results[0].errors.contains("> Authorization: <redacted>"))
            #expect(results[0].output.contains("X-Echo: Basic <redacted>"))
            // The body of the other origin is its request.
            #expect(results[2].output.contains(#""target":"/echo""#))
            #expect(!results[2].output.contains("Authorization"))
        }

        @Test("a password that is asked for is not shown, and logs in")
        func prompt() async throws {
            let terminal = try PseudoTerminal(columns: 100)
            let tour = try await TourProcess.start(
                ["-v", "-u", TourRoutes.user, "\(url)/secret"], on: terminal, inForeground: true)
            var shown = await terminal.read(until: "Password for lupin: ")
            #expect(!terminal.echoes)
            terminal.press(TourRoutes.password + "\n")
            #expect(try await tour.wait() == 0)
            shown += terminal.read()
            #expect(!shown.contains(TourRoutes.password))
            #expect(ScreenText(shown).lines.contains(TourRoutes.secret))
            #expect(terminal.echoes)
        }

        @Test("without a terminal, a password that is missing is a bad argument")
        func noPrompt() async throws {
            let directory = try ServerDirectory(for: "tour")
            let run = try await ShellRun(
                "setsid --wait $tour -u me \(url)/secret", in: directory)
            #expect(run.status == 2)
            #expect(
                run.errors
                    == "tour: there is no terminal to ask for a password; give -u USER:PASSWORD\n")
        }

        @Test("a server that wants Digest gets it")
        func digest() async throws {
            let result = try await fetch("-f", "-u", "me:hunter2", "\(url)/digest")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == "digest")
        }
    }
}
