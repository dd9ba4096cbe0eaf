/// The status line and header section of a reply.
enum ReplyHead {
    static func bytes(status: Int, reason: String?, headers: [(String, String)]) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(reason ?? reasonPhrase(of: status))\r\n"
        for (name, value) in headers {
            head += name
            head += ": "
            head += value
            head += "\r\n"
        }
        head += "\r\n"
        return Array(head.utf8)
    }

    static func allowsBody(_ status: Int) -> Bool {
        !((100..<200).contains(status) || [204, 205, 304].contains(status))
    }

    /// Returns the value of `Content-Length`, or nil to omit the field.
    ///
    /// RFC 9110 forbids the field with 1xx and 204. With 304, it would describe content that is not
    /// sent.
    static func length(of body: [UInt8], status: Int) -> Int? {
        if allowsBody(status) { return body.count }
        return status == 205 ? 0 : nil
    }

    static func hasFraming(_ headers: [(String, String)]) -> Bool {
        headers.contains { name, _ in
            FixtureHeaders.isSameName(name, "Content-Length")
                || FixtureHeaders.isSameName(name, "Transfer-Encoding")
        }
    }

    static func asksToClose(_ headers: [(String, String)]) -> Bool {
        headers.contains { name, value in
            FixtureHeaders.isSameName(name, "Connection")
                && FixtureHeaders.isSameName(value, "close")
        }
    }

    private static func reasonPhrase(of status: Int) -> String {
        reasonPhrases[status] ?? "Status \(status)"
    }

    private static let reasonPhrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted",
        204: "No Content", 205: "Reset Content", 206: "Partial Content", 300: "Multiple Choices",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot",
        422: "Unprocessable Content", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
