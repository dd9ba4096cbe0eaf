import Bluebonnet
import BluebonnetFixtureServer

// Redirects to places that are none, or that are not to be gone to.
extension Fault {
    private static func leading(_ location: String, _ status: Int = 302) -> FaultScript {
        FaultScript(redirect(location, status))
    }

    private static func redirect(_ location: String, _ status: Int = 302) -> [FaultAction] {
        [
            .request,
            .send(
                "HTTP/1.1 \(status) Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"),
        ]
    }

    private static func refused(_ id: String, _ name: String, _ location: String) -> Fault {
        Fault(
            id, "a redirect to \(name)", .failure(.redirect),
            "fails with the redirect in the error",
            leading(location)
        ) { $0.requestCount = 2 }
    }

    static var redirects: [Fault] {
        [
            Fault(
                "37a", "a redirect without a Location", .response(302, body: ""),
                "delivers the redirect as the response",
                .answering("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")),
            Fault(
                "37b", "a redirect with an empty Location", .response(302, body: ""),
                "delivers the redirect as the response", leading("")),
            refused("37c", "an invalid URL", "http://[::1"),
            Fault(
                "37d", "a redirect to a relative URL", .good, "follows it", leading("../good?a=b")
            ) { $0.requestCount = 3 },
            refused("37e", "a URL without a host", "http:///good"),
            refused("37f", "another scheme", "ftp://127.0.0.1/good"),
            refused("37g", "a file", "file:///etc/passwd"),
            Fault(
                "37h", "a redirect to a path in UTF-8", .good, "follows it, percent-encoded",
                leading("/gr\u{FC}n")
            ) {
                $0.check = { _, server in
                    server.requests.contains { $0.path == "/gr%C3%BCn" }
                        ? nil : "went to \(server.requests.map(\.target))"
                }
            },
            refused("37i", "a URL with user and password", "http://a:b@127.0.0.1/"),
            Fault(
                "38a", "a redirect to itself", .failure(.redirect),
                "fails at the first repetition", leading("/fault")),
            Fault(
                "38b", "more redirects than allowed", .failure(.redirect), "fails",
                FaultScript((0..<21).flatMap { redirect("/\($0)") })
            ) { $0.requestCount = 22 },
            Fault(
                "38c", "two URLs that redirect to each other", .failure(.redirect),
                "fails at the first repetition",
                FaultScript(redirect("/other") + redirect("/fault"))
            ) { $0.requestCount = 3 },
            Fault(
                "38d", "a redirect to a port without a server", .failure(.cannotConnect),
                "fails",
                leading("http://127.0.0.1:1/")
            ) { $0.ways = [.plain] },
            Fault(
                "38e", "a redirect to a private address", .failure(.addressDenied),
                "fails before connecting if an address guard denies it",
                leading("http://10.0.0.1/")
            ) {
                $0.ways = [.plain]
                $0.configure = { configuration, _ in
                    var own = AddressGuard.publicInternetOnly
                    own.allowedRanges = [try? AddressRange("127.0.0.1")].compactMap(\.self)
                    configuration.addressGuard = own
                }
            },
            refused("38f", "plain HTTP from HTTPS", "http://127.0.0.1:1/").with {
                $0.ways = [.tls]
            },
        ]
    }

    private func with(_ change: (inout Fault) -> Void) -> Fault {
        var copy = self
        change(&copy)
        return copy
    }
}
