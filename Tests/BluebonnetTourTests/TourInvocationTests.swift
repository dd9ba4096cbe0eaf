import Testing

@testable import BluebonnetTour

@Suite("What the arguments ask for")
struct TourInvocationTests {
    @Test("no argument is a tour, and a URL is refused")
    func words() throws {
        #expect(try TourInvocation([]) == .tour)
        #expect(throws: UsageError("the only option is --serve [PORT]")) {
            try TourInvocation(["http://a.test"])
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
