import Bluebonnet
import BluebonnetFixtureServer

// Fields that say nonsense about time, caches and names.
extension Fault {
    private static func saying(
        _ id: String, _ name: String, _ fields: String..., reaction: String
    ) -> Fault {
        Fault(
            id, name, .good, reaction,
            .answering(
                "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined()
                    + "Content-Length: 4\r\n\r\ngood")
        ) { $0.requestCount = 2 }
    }

    /// A name for a file, and what may become of it.
    private static func suggesting(
        _ id: String, _ name: String, _ value: String, _ wanted: String
    ) -> Fault {
        Fault(
            id, name, .good, "suggests the last path component of the name or of the URL",
            .answering(
                "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename\(value)\r\n"
                    + "Content-Length: 4\r\n\r\ngood")
        ) {
            $0.check = { response, _ in
                let suggested = response.head?.suggestedFilename ?? ""
                return suggested == wanted ? nil : "suggests \(suggested)"
            }
        }
    }

    private static let told = "delivers the response with these fields and ignores their values"

    static var fields: [Fault] {
        [
            Fault(
                "91a", "503 with huge, negative, past and malformed Retry-After fields",
                .response(503, body: "no"),
                "delivers the response and leaves retries to the caller",
                .answering(
                    "HTTP/1.1 503 No\r\nRetry-After: 99999999999999999999\r\nRetry-After: -1\r\n"
                        + "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\nRetry-After: soon\r\n"
                        + "Content-Length: 2\r\n\r\nno")
            ) { $0.requestCount = 2 },
            saying(
                "91b", "past and malformed dates", "Date: Thu, 01 Jan 1970 00:00:00 GMT",
                "Date: Thu, 99 Foo 99999 99:99:99 GMT", "Last-Modified: 0", "Expires: -1",
                reaction: told),
            saying(
                "91c", "a Vary field with an asterisk or empty names", "Vary: *",
                "Vary: Accept,,Cookie,", reaction: told),
            saying(
                "91d", "an Age and a max-age beyond 64 bits", "Age: 99999999999999999999999999",
                "Age: -1",
                "Cache-Control: max-age=99999999999999999999999, max-age=, =", reaction: told),
            suggesting(
                "93a", "a file name with parent directories", #"="../../etc/passwd""#, "passwd"),
            suggesting(
                "93b", "a percent-encoded file name with parent directories",
                "*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
            suggesting("93c", "the parent directory as a file name", #"="..""#, "fault"),
        ]
    }
}
