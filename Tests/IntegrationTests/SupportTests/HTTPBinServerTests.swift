import BluebonnetTestSupport
import Testing

extension SupportTests {
    @Test("httpbin answers Digest, redirects, cookies and forms")
    func httpbin() async throws {
        let server = try await HTTPBinServer()
        let report = ["-o", "/dev/null", "-w", "%{http_code} %{num_redirects}"]
        // The request after a challenge counts as a redirect, too.
        for algorithm in ["MD5", "SHA-256"] {
            let url = server.url("digest-auth/auth/user/secret/\(algorithm)")
            let accepted = try await CurlCommand.run(
                ["--digest", "-u", "user:secret"] + report + [url])
            #expect(accepted.text == "200 1")
            let refused = try await CurlCommand.run(
                ["--digest", "-u", "user:wrong"] + report + [url])
            #expect(refused.text == "401 1")
        }
        let redirected = try await CurlCommand.run(["-L"] + report + [server.url("redirect/3")])
        #expect(redirected.text == "200 3")
        let cookies = try await CurlCommand.run(
            ["-L", "-c", "/dev/null", server.url("cookies/set?petal=five")])
        #expect(cookies.text.contains(#""petal": "five""#))
        let form = try await CurlCommand.run(
            ["--data-urlencode", "name=blue bonnet", server.url("post")])
        #expect(form.text.contains(#""name": "blue bonnet""#))
    }
}
