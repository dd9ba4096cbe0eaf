import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Glibc
import Testing

@testable import BluebonnetTour

extension TourProcessTests {
    @Suite("A fetch as a program")
    struct Fetches {
        private let server: FixtureServer
        private var url: String { server.baseURL }

        init() throws {
            var routes = TourRoutes.all
            routes["/broken"] = { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc") }
            routes["/named"] = { _ in
                .response(
                    status: 200,
                    headers: [("Content-Disposition", #"attachment; filename="../a b.txt""#)],
                    body: Array("named".utf8))
            }
            server = try FixtureServer(routes: routes)
        }

        /// Runs it to its end with its output in files.
        private func fetch(
            _ arguments: String..., input: String = "", in directory: ServerDirectory? = nil
        ) async throws -> (status: Int32, output: String, errors: String) {
            let tour = try await TourProcess.start(
                ["fetch"] + arguments, input: input, in: directory)
            return (try await tour.wait(), tour.output, tour.errors)
        }

        /// Runs it to its end on a terminal; returns the exit status and what is shown.
        private func show(
            _ arguments: String..., columns: UInt16 = 100, environment: [String: String] = [:]
        ) async throws -> (status: Int32, text: String) {
            let terminal = try PseudoTerminal(columns: columns)
            let tour = try await TourProcess.start(
                arguments, on: terminal, inForeground: false, environment: environment)
            return (try await tour.wait(), terminal.read())
        }

        // MARK: Bodies

        @Test("into a file, the bodies come as they are, one after the other")
        func raw() async throws {
            let directory = try ServerDirectory(for: "tour")
            let tour = try await TourProcess.start(
                ["\(url)/bytes/100000", "\(url)/text", "\(url)/status/404"], in: directory)
            #expect(try await tour.wait() == 0)
            #expect(
                directory.data(of: "output")
                    == TourRoutes.content(100_000) + Data("Hello from the fixture server.\n".utf8)
                    + Data(#"{"status":404,"error":"status 404"}"#.utf8))
            #expect(tour.errors == "")
        }

        @Test("-i writes the head before the body, in the form of HTTP")
        func include() async throws {
            let result = try await fetch("-i", "\(url)/text")
            #expect(
                result.output == "HTTP 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"
                    + "Content-Length: 31\r\n\r\nHello from the fixture server.\n")
        }

        @Test("on a terminal, the head is shown, and JSON with indentation and colors")
        func screen() async throws {
            let (status, text) = try await show("\(url)/flowers?petals=3")
            #expect(status == 0)
            #expect(
                text.hasPrefix("\u{1B}[32mHTTP 200 OK\u{1B}[0m\r\n\u{1B}[36mContent-Type\u{1B}["))
            #expect(text.contains("\u{1B}[34m\"petals\"\u{1B}[0m: \u{1B}[36m3\u{1B}[0m\r\n"))
            let lines = ScreenText(text).lines
            #expect(
                lines == [
                    "HTTP 200 OK", "Content-Type: application/json", "Content-Length: 32", "", "[",
                    "  {", "    \"name\": \"trillium\",", "    \"petals\": 3", "  }", "]", "",
                ])
        }

        @Test("on a dumb terminal, it is the same without control sequences")
        func dumbScreen() async throws {
            let (_, text) = try await show("\(url)/json", environment: ["TERM": "dumb"])
            #expect(text.hasPrefix("HTTP 200 OK\r\n") && text.contains("\r\n  \"number\": 42,\r\n"))
            #expect(!text.contains("\u{1B}"))
        }

        @Test("on a terminal, a binary body is told of, unless its bytes are asked for")
        func binaryScreen() async throws {
            let (_, text) = try await show("\(url)/bytes/12288")
            #expect(text.contains("binary body of 12.0 KiB; write it to a file with -o FILE"))
            #expect(text.utf8.count < 300)
            let (_, raw) = try await show("-o", "-", "\(url)/text")
            #expect(raw == "Hello from the fixture server.\r\n")
        }

        @Test("on a terminal, several URLs are named")
        func names() async throws {
            let (_, text) = try await show("\(url)/text", "\(url)/text")
            #expect(ScreenText(text).lines.count { $0 == "\(url)/text" } == 2)
        }

        // MARK: Details

        @Test("-v shows the request as the server gets it, the response and what was measured")
        func verbose() async throws {
            struct Echo: Decodable {
                var method: String
                var target: String
                var headers: [String: [String]]
            }
            let result = try await fetch(
                "-v", "-X", "PATCH", "-H", "X-A: b", "-d", "c=d", "\(url)/echo?e=f")
            let echo = try JSONDecoder().decode(Echo.self, from: Data(result.output.utf8))
            let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
            let request = lines.prefix { $0 != ">" }.map { String($0.dropFirst(2)) }
            #expect(request[0] == "PATCH /echo?e=f")
            let fields = echo.headers.flatMap { name, values in values.map { "\(name): \($0)" } }
            #expect(Set(request.dropFirst()) == Set(fields))
            let response = lines.drop { $0 != ">" }.dropFirst()
            #expect(response.first == "< HTTP 200 OK")
            #expect(response.contains { $0.hasPrefix("* new connection from 127.0.0.1:") })
            #expect(response.contains { $0.hasPrefix("* ") && $0.contains("first byte at ") })
            #expect(response.contains { $0.hasPrefix("* sent ") && $0.contains("3 B of body") })
        }

        @Test("-v on a terminal shows the head once")
        func verboseScreen() async throws {
            let (_, text) = try await show("-v", "\(url)/text")
            #expect(text.ranges(of: "200 OK").count == 1)
        }

        // MARK: Requests

        @Test(
            "-d sends forms from arguments, files and standard input, joined and without line ends")
        func form() async throws {
            let directory = try ServerDirectory(for: "tour")
            try directory.write("c=d\r\n", to: "form")
            let result = try await fetch(
                "-d", "a=b", "-d", "@form", "-d", "-", "\(url)/echo", input: "e=f\n", in: directory)
            #expect(result.output.contains(#""method":"POST""#))
            #expect(result.output.contains(#"["application/x-www-form-urlencoded"]"#))
            #expect(result.output.contains(#""body":"a=b&c=d&e=f""#))
        }

        @Test("--json sends a document or members, and asks for JSON")
        func json() async throws {
            let members = try await fetch("--json", "a=b", "--json", "c:=1", "\(url)/echo")
            #expect(members.output.contains(#""body":"{\"a\":\"b\",\"c\":1}""#))
            #expect(members.output.contains(#""Content-Type":["application/json"]"#))
            #expect(members.output.contains(#""Accept":["application/json"]"#))
            let document = try await fetch("--json", "-", "\(url)/echo", input: "[1, 2]\n")
            #expect(document.output.contains(#""body":"[1, 2]\u000a"}"#))
            let put = try await fetch(
                "-X", "PUT", "--json", "5", "-H", "content-type: a/b", "\(url)/echo")
            #expect(put.output.contains(#""method":"PUT""#))
            #expect(put.output.contains(#"["a/b"]"#))
        }

        @Test("a body that cannot be read is a bad argument")
        func noBody() async throws {
            let missing = try await fetch("-d", "@missing", "\(url)/echo")
            #expect(missing.status == 2)
            #expect(missing.errors == "tour: the file missing could not be read: there is none\n")
            let invalid = try await fetch("--json", "-", "\(url)/echo", input: "{hunter2")
            #expect(invalid.status == 2)
            #expect(invalid.errors == "tour: what --json is to send is not JSON\n")
        }

        // MARK: Redirects and failures

        @Test("a redirect is not followed but told of, and followed with -L")
        func redirect() async throws {
            let plain = try await fetch("\(url)/redirect/2")
            #expect(plain.status == 0)
            #expect(plain.output == "")
            #expect(
                plain.errors
                    == "\(url)/redirect/2: 302 Found, redirects to /redirect/1; follow it with -L\n"
            )
            let followed = try await fetch("-L", "-v", "\(url)/redirect/2")
            #expect(followed.output.hasPrefix(#"{"message":"hello""#))
            let starts = followed.errors.split(separator: "\n").filter {
                $0.hasPrefix("> GET") || $0.hasPrefix("< HTTP")
            }
            #expect(
                starts == [
                    "> GET /redirect/2", "< HTTP 302 Found", "> GET /redirect/1",
                    "< HTTP 302 Found", "> GET /json", "< HTTP 200 OK",
                ])
        }

        @Test("-f makes a status a failure without a body")
        func fail() async throws {
            let result = try await fetch("-f", "\(url)/status/500", "\(url)/text")
            #expect(result.status == 1)
            #expect(result.output == "Hello from the fixture server.\n")
            #expect(
                result.errors
                    == "\(url)/status/500: the status is 500 Internal Server Error; "
                    + "without -f its body is shown\n")
        }

        @Test("--retry asks again, and shows the last response whatever it is")
        func retry() async throws {
            let busy = try await fetch("--retry", "1", "\(url)/busy")
            #expect(busy.status == 0)
            #expect(busy.output == #"{"status":200}"#)
            #expect(
                busy.errors.hasPrefix(
                    "\(url)/busy: the status is 503 Service Unavailable; retrying in "))
            let never = try await fetch("--retry", "1", "\(url)/status/503")
            #expect(never.status == 0)
            #expect(never.output == #"{"status":503,"error":"status 503"}"#)
            let failed = try await fetch("-f", "--retry", "1", "\(url)/status/503")
            #expect(failed.status == 1)
            #expect(failed.output == "")
            #expect(failed.errors.split(separator: "\n").count == 2)
        }

        @Test("each failure has one line that names the request, and the others are fetched")
        func failures() async throws {
            let port = try ReservedPort()
            let late = try await fetch("--timeout", "2", "\(url)/hang", "\(url)/text")
            #expect(late.status == 1)
            #expect(late.errors == "\(url)/hang: it took longer than --timeout allows\n")
            #expect(late.output == "Hello from the fixture server.\n")
            let refused = try await fetch("\(port.baseURL)/a?b=hunter2")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("[GET \(port.baseURL)/a]"))
            #expect(
                refused.errors.contains("; check that a server listens at this port (libcurl 7) ["))
            let broken = try await fetch("\(url)/broken")
            #expect(broken.status == 1)
            #expect(broken.output == "abc")
            for result in [late, refused, broken] {
                #expect(result.errors.split(separator: "\n").count == 1)
                #expect(!result.errors.contains(#/[a-z]Error|Exchange|Optional|hunter2/#))
            }
        }

        // MARK: Files

        @Test("-o downloads to a file, which it replaces, with a bar that stays")
        func output() async throws {
            let directory = try ServerDirectory(for: "tour")
            try directory.write("old", to: "big.bin")
            let terminal = try PseudoTerminal(columns: 80)
            let tour = try await TourProcess.start(
                ["-o", "big.bin", "\(url)/big.bin"], on: terminal, inForeground: false,
                in: directory)
            #expect(try await tour.wait() == 0)
            #expect(directory.data(of: "big.bin") == TourRoutes.content(TourRoutes.bigCount))
            #expect(tour.files == ["big.bin"])
            let lines = ScreenText(terminal.read()).lines
            #expect(lines.count == 2)
            #expect(
                lines[0].contains(#/^big.bin  100%  █+ +8.0 MiB +[0-9.]+ MiB/s +in [0-9.]+ m?s$/#))
        }

        @Test("-o keeps a symbolic link, and the permissions of the file that it replaces")
        func link() async throws {
            let directory = try ServerDirectory(for: "tour")
            try directory.write("old", to: "target")
            chmod(directory.path(of: "target"), 0o604)
            symlink("target", directory.path(of: "link"))
            #expect(try await fetch("-o", "link", "\(url)/text", in: directory).status == 0)
            #expect(directory.text(of: "target").hasPrefix("Hello"))
            var status = stat()
            #expect(lstat(directory.path(of: "target"), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o604)
            #expect(lstat(directory.path(of: "link"), &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
        }

        @Test("-O takes the name that the response suggests, made safe, and replaces nothing")
        func remoteName() async throws {
            let directory = try ServerDirectory(for: "tour")
            let first = try await fetch("-O", "\(url)/named", "\(url)/text", in: directory)
            #expect(first.status == 0)
            #expect(
                first.errors == "\(url)/named: stored in a b.txt\n\(url)/text: stored in text\n")
            #expect(directory.text(of: "a b.txt") == "named")
            try directory.write("mine", to: "text")
            let second = try await fetch("-O", "\(url)/text", in: directory)
            #expect(second.status == 1)
            #expect(
                second.errors.contains("it exists; remove it, or give a name with -o"))
            #expect(directory.text(of: "text") == "mine")
        }

        @Test("a file gets what a status of 404 comes with, unless -f is given")
        func outputOfError() async throws {
            let directory = try ServerDirectory(for: "tour")
            let result = try await fetch("-o", "a", "\(url)/status/404", in: directory)
            #expect(result.status == 0)
            #expect(result.errors.contains("the status is 404 Not Found; -f makes that a failure"))
            #expect(directory.text(of: "a").contains("404"))
            let retried = try await fetch(
                "--retry", "1", "-o", "b", "\(url)/status/503", in: directory)
            #expect(retried.status == 0)
            #expect(directory.text(of: "b").contains("503"))
            let failed = try await fetch("-f", "-o", "c", "\(url)/status/404", in: directory)
            #expect(failed.status == 1)
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(Set(files) == ["a", "b", "input", "output", "errors"])
        }

        @Test("a download that fails leaves nothing, and what was there before stays")
        func outputInVain() async throws {
            let directory = try ServerDirectory(for: "tour")
            try directory.write("old", to: "a")
            let broken = try await fetch("-o", "a", "\(url)/broken", in: directory)
            #expect(broken.status == 1)
            #expect(directory.text(of: "a") == "old")
            let nowhere = try await fetch("-o", "none/a", "\(url)/text", in: directory)
            #expect(nowhere.status == 1)
            #expect(nowhere.errors.hasSuffix("its directory does not exist; make it first\n"))
            let folder = try await fetch("-o", ".", "\(url)/text", in: directory)
            #expect(folder.status == 1)
            #expect(folder.errors.hasSuffix("it is a directory; name a file in it\n"))
            let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(Set(files) == ["a", "input", "output", "errors"])
        }

        @Test("what is not a file is written to and not replaced; a link stays one")
        func outputToOthers() async throws {
            let directory = try ServerDirectory(for: "tour")
            let pipe = directory.path(of: "pipe")
            try #require(mkfifo(pipe, 0o600) == 0)
            // With a reader, so that opening it does not wait.
            let reader = open(pipe, O_RDWR | O_NONBLOCK)
            defer { close(reader) }
            #expect(try await fetch("-o", "pipe", "\(url)/text", in: directory).status == 0)
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(reader, &buffer, buffer.count)
            #expect(
                String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).hasPrefix("Hello"))
            var status = stat()
            #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)

            try directory.write("old", to: "file")
            try FileManager.default.createSymbolicLink(
                atPath: directory.path(of: "link"), withDestinationPath: "file")
            #expect(try await fetch("-o", "link", "\(url)/text", in: directory).status == 0)
            #expect(directory.text(of: "file").hasPrefix("Hello"))
            #expect(
                try FileManager.default.destinationOfSymbolicLink(
                    atPath: directory.path(of: "link")) == "file")
        }
    }
}
