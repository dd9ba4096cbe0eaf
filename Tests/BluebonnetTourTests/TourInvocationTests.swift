import Testing

@testable import BluebonnetTour

@Suite("What the arguments ask for")
struct TourInvocationTests {
    private static let url = "http://a.test"

    @Test("no argument is a tour, and all others are fetched, with or without that word")
    func words() throws {
        #expect(try TourInvocation([]) == .tour)
        var options = FetchOptions()
        options.urls = ["http://b.test", Self.url]
        #expect(try TourInvocation(["http://b.test", Self.url]) == .fetch(options))
        #expect(try TourInvocation(["fetch", "http://b.test", Self.url]) == .fetch(options))
        options.isVerbose = true
        #expect(try TourInvocation(["http://b.test", "-v", Self.url]) == .fetch(options))
    }

    @Test("help is an option of either length, or a word")
    func help() throws {
        for arguments in [
            ["-h"], ["help"], ["http://a.test", "--help"], ["fetch", "-h"], ["--serve", "--help"],
        ] {
            #expect(try TourInvocation(arguments) == .help)
        }
    }

    @Test("the server is served at port 8080 or at the one given, and takes nothing else")
    func serve() throws {
        #expect(try TourInvocation(["--serve"]) == .serve(port: 8080))
        #expect(try TourInvocation(["--serve", "0"]) == .serve(port: 0))
        #expect(try TourInvocation(["--serve", "65535"]) == .serve(port: 65535))
        for arguments in [
            ["--serve", "65536"], ["--serve", "-1"], ["--serve", "http"], ["--serve", ""],
            ["--serve", "80", "81"],
        ] {
            #expect(throws: UsageError("--serve takes a port from 0 to 65535 and nothing else")) {
                try TourInvocation(arguments)
            }
        }
    }
}
