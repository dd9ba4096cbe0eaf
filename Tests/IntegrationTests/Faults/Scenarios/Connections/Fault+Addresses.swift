import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// URLs that two readers could read differently, and addresses of unusual kinds.
extension Fault {
    private static func going(
        _ id: String, _ name: String, _ url: String, _ outcome: FaultOutcome,
        _ reaction: String = "fails before anything is sent",
        _ change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        Fault(id, name, outcome, reaction, FaultScript()) {
            $0.path = url
            $0.ways = [.plain]
            // The next one, and this one where it comes to a response.
            if case .failure = outcome { $0.requestCount = 1 }
            change(&$0)
        }
    }

    private static var refused: FaultOutcome { .failure(.invalidRequest) }
    private static var unreachable: FaultOutcome { .failure(.cannotConnect) }

    static var addresses: [Fault] {
        [
            going(
                "79a", "a non-ASCII host", "http://b\u{FC}cher.fault.test:{port}/", .good,
                "uses Punycode for DNS and for the server"
            ) {
                $0.check = { _, server in
                    let host = server.requests.last?.headers["Host"] ?? ""
                    return host.hasPrefix("xn--bcher-kva.fault.test:") ? nil : "asked for \(host)"
                }
            },
            going(
                "79b", "a URL of more than 64 KB",
                "http://127.0.0.1:{port}/" + String(repeating: "a", count: 70_000), .good,
                "sends the whole URL"
            ) {
                $0.check = { _, server in
                    server.requests.last?.target.utf8.count == 70_001 ? nil : "was cut"
                }
            },
            going(
                "78c", "CR and LF in a URL", "http://127.0.0.1:{port}/a\r\nX-Evil: 1\r\n\r\n",
                .good,
                "sends them percent-encoded"
            ) {
                $0.check = { _, server in
                    let last = server.requests.last
                    let isKept =
                        last?.target == "/a%0D%0AX-Evil:%201%0D%0A%0D%0A"
                        && last?.headers["X-Evil"] == nil
                    return isKept ? nil : "asked for \(last?.target ?? "")"
                }
            },
            going(
                "79c", "a backslash in the authority", "http://127.0.0.1:{port}\\@other.test/",
                refused),
            going(
                "79d", "an @ in the path, followed by a fragment",
                "http://127.0.0.1:{port}/a@b?c@d#e@f",
                .good, "keeps the host and omits the fragment"
            ) {
                $0.check = { _, server in
                    server.requests.last?.target == "/a@b?c@d" ? nil : "\(server.requests)"
                }
            },
            going(
                "79e", "a zone in an address that is not link-local",
                "http://[::1%25lo]:{port}/", refused),
            going("79f", "port 0", "http://127.0.0.1:0/", unreachable, "fails"),
            going("79g", "a port beyond 65,535", "http://127.0.0.1:99999/", refused),
            going("79h", "an IPv4 address in octal", "http://0177.0.0.1:{port}/", refused),
            going("79i", "a URL without a host", "http:///path", refused),
            going(
                "79j", "a user and a password in the URL", "http://a:b@127.0.0.1:{port}/", refused),
            going(
                "79k", "an IPv4 address written as one number", "http://2130706433:{port}/", refused
            ),
            going("79l", "a percent-encoded host", "http://127.0.0.%31:{port}/", refused),
            going(
                "94b", "an IPv6 address without a server", "http://[::1]:1/", unreachable,
                "fails"),
            going(
                "94c", "a link-local address without a zone", "http://[fe80::1]:1/", unreachable,
                "fails"
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.connect = 2 }
            },
            going(
                "94g", "a link-local address with an unknown interface as its zone",
                "http://[fe80::1%25nosuch]:1/", unreachable, "fails"
            ) {
                $0.configure = { configuration, _ in configuration.timeouts.connect = 2 }
            },
            going(
                "94d", "a missing Unix socket", "http://origin.test/", unreachable, "fails"
            ) {
                $0.isServerWellAfterwards = false
                $0.requestCount = 0
                $0.configure = { configuration, _ in configuration.route.unixSocketPath = "/none/s"
                }
            },
            going(
                "94e", "another file in place of a Unix socket", "http://origin.test/", unreachable,
                "fails"
            ) {
                $0.isServerWellAfterwards = false
                $0.requestCount = 0
                $0.configure = { configuration, _ in
                    configuration.route.unixSocketPath = "/dev/null"
                }
            },
        ]
    }
}
