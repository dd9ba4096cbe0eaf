import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

extension SupportTests {
    @Suite("Proxies", .timeLimit(.minutes(5)))
    struct ProxyServerTests {
        private let credentials = Credentials(user: "user", password: "secret")
        private let origin: FixtureServer
        private let url: String
        private let authority: String

        init() throws {
            origin = try FixtureServer()
            url = origin.baseURL + "/json"
            authority = String(origin.baseURL.dropFirst("http://".count))
        }

        @Test("an HTTP proxy forwards, tunnels and logs the traffic")
        func forward() async throws {
            let proxy = try await HTTPProxyServer()
            #expect(try await status("-x", proxy.url) == "200")
            #expect(proxy.requests == ["GET \(url) HTTP/1.1"])
            #expect(try await status("-p", "-x", proxy.url) == "200")
            #expect(proxy.requests.last == "CONNECT \(authority) HTTP/1.1")
            let bystander = try await CurlCommand.run(url)
            #expect(bystander.status == 0)
            #expect(proxy.requests.count == 2)
        }

        @Test("an HTTP proxy with credentials refuses requests without them")
        func forwardWithCredentials() async throws {
            let proxy = try await HTTPProxyServer(credentials: credentials)
            #expect(try await status("-x", proxy.url) == "407")
            #expect(try await status("-x", proxy.url, "-U", "user:wrong") == "401")
            #expect(try await status("-x", proxy.url, "-U", "user:secret") == "200")
            #expect(proxy.requests.count == 3)
        }

        @Test("a tunnel through an HTTP proxy carries TLS end to end")
        func tunnel() async throws {
            let nginx = try await NginxServer(files: ["a.txt": Data("through".utf8)])
            let proxy = try await HTTPProxyServer(credentials: credentials)
            let curl = try await CurlCommand.run(
                "-x", proxy.url, "-U", "user:secret", "--cacert", nginx.authorityFile,
                "-w", " %{http_version}", nginx.tlsURL("files/a.txt"))
            #expect(curl.text == "through 2")
            #expect(proxy.requests == ["CONNECT localhost:\(nginx.tlsPort) HTTP/1.1"])
        }

        @Test("an HTTPS proxy is reached only through TLS, with its authority")
        func secure() async throws {
            let proxy = try await HTTPSProxy(credentials: credentials)
            let trust = proxy.authorityFile
            let user = "user:secret"
            let good = try await status("--proxy-cacert", trust, "-x", proxy.url, "-U", user)
            #expect(good == "200")
            let tunnelled = try await status(
                "-p", "--proxy-cacert", trust, "-x", proxy.url, "-U", user)
            #expect(tunnelled == "200")
            #expect(
                proxy.requests == ["GET \(url) HTTP/1.1", "CONNECT \(authority) HTTP/1.1"])
            let untrusted = try await CurlCommand.run("-x", proxy.url, "-U", user, url)
            #expect(untrusted.status == 60)
            let plain = try await CurlCommand.run("-x", "http://127.0.0.1:\(proxy.port)", url)
            #expect(plain.status != 0)
            #expect(proxy.requests.count == 2)
        }

        @Test("a SOCKS proxy resolves names and, with credentials, refuses clients without them")
        func socks() async throws {
            let open = try await SOCKSServer()
            let port = authority.split(separator: ":").last ?? ""
            let named = try await CurlCommand.run(
                "-x", "socks5h://127.0.0.1:\(open.port)", "-o", "/dev/null",
                "-w", "%{http_code}", "http://localhost:\(port)/json")
            #expect(named.text == "200")
            #expect(open.targets == ["localhost:\(port)"])
            let closed = try await SOCKSServer(credentials: credentials)
            let place = "127.0.0.1:\(closed.port)"
            let refused = try await CurlCommand.run("-x", "socks5h://\(place)", url)
            #expect(refused.status == 97)
            #expect(try await status("-x", "socks5h://user:secret@\(place)") == "200")
            #expect(closed.targets == [authority])
        }

        /// Returns the status code of the origin's or the proxy's response to a request with
        /// options.
        private func status(_ option: String, _ options: String...) async throws -> String {
            let all = [option] + options + ["-o", "/dev/null", "-w", "%{http_code}", url]
            return try await CurlCommand.run(all).text
        }
    }
}
