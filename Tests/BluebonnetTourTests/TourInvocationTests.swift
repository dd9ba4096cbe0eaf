import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTour

@Suite("What the arguments ask for", .timeLimit(.minutes(5)))
struct TourInvocationTests {
    @Test("no argument is a tour, and all others are fetched in their order")
    func words() {
        #expect(TourInvocation([]) == .tour)
        #expect(TourInvocation(["http://b.test", "", "a"]) == .fetch(["http://b.test", "", "a"]))
    }

    @Test("help is an option of either length, wherever it stands")
    func help() {
        #expect(TourInvocation(["-h"]) == .help)
        #expect(TourInvocation(["http://a.test", "--help"]) == .help)
    }

    @Test("the server is served at port 8080 or at the one given, and takes nothing else")
    func serve() {
        #expect(TourInvocation(["--serve"]) == .serve(port: 8080))
        #expect(TourInvocation(["--serve", "0"]) == .serve(port: 0))
        #expect(TourInvocation(["--serve", "65535"]) == .serve(port: 65535))
        for arguments in [
            ["--serve", "65536"], ["--serve", "-1"], ["--serve", "http"], ["--serve", ""],
            ["--serve", "80", "81"], ["--serve", "--help"], ["http://a.test", "--serve"],
        ] {
            #expect(TourInvocation(arguments) == .invalidServe, "\(arguments)")
        }
    }

    @Test(
        "an unknown option is named without its value, which may be a password",
        arguments: [
            ("-x", "-x"), ("--user=me:hunter2", "--user"), ("-ume:hunter2", "-u"), ("-", "-"),
            ("--", "--"), ("--helpful", "--helpful"), ("-help", "-h"), ("--serve=80", "--serve"),
        ])
    func unknown(argument: String, shown: String) {
        #expect(TourInvocation(["http://a.test", argument, "--help"]) == .unknownOption(shown))
    }

    @Test("the script prints the same usage as the program, and knows the same options")
    func script() throws {
        let script = PackageDirectory.url(of: "scripts/tour").path
        let usage = TourInvocation.usage.replacing("bluebonnet-tour", with: "scripts/tour") + "\n"
        for option in ["-h", "--help"] {
            let output = try SystemCommand(script, ["http://a.test", option]).output()
            #expect(String(decoding: output, as: UTF8.self) == usage)
        }
        let line = "exec 2>&1; '\(script)' http://a.test --user=me:hunter2 -h; echo $?"
        let output = try SystemCommand(shell: line).output()
        #expect(
            String(decoding: output, as: UTF8.self) == "tour: unknown option --user\n\(usage)2\n")
    }
}
