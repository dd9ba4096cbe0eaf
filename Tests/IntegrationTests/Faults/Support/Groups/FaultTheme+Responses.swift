extension FaultTheme {
    static let responses = [
        FaultTheme(
            "Status lines and heads",
            [
                FaultGroup(3, "connection closed inside the status line", .fails, "fails"),
                FaultGroup(4, "connection closed inside or after a header line", .fails, "fails"),
                FaultGroup(
                    5, "connection closed before the head's empty line", .fails, "fails"),
                FaultGroup(22, "malformed status code", .fails, "fails"),
                FaultGroup(23, "no reason phrase", .succeeds, "accepts the response"),
                FaultGroup(24, "unknown version, HTTP/0.9, or another protocol", .fails, "fails"),
                FaultGroup(25, "header line of 110 KB", .fails, "fails"),
                FaultGroup(
                    26, "head of 400 KB, or an endless head or line", .fails,
                    "fails at the limit"),
                FaultGroup(27, "20,000 header fields", .fails, "fails at the limit"),
                FaultGroup(28, "NUL in a header line, or no colon", .fails, "fails"),
                FaultGroup(
                    29, "header line that begins with white space", .mixed(failing: "bc"),
                    "joins it to the line above, but fails in the first line or a length"),
                FaultGroup(
                    30, "bare LF, CR, Latin-1, control characters, or no name in a header line",
                    .mixed(failing: "bc"), "accepts the response, except with CR or without a name"),
                FaultGroup(31, "100 and 103 before the response", .succeeds, "ignores them"),
                FaultGroup(32, "endless 102 responses", .fails, "fails at the limit"),
                FaultGroup(33, "connection closed after 100", .fails, "fails"),
                FaultGroup(34, "101 without an upgrade request", .fails, "fails"),
                FaultGroup(
                    91, "invalid `Retry-After`, `Date`, `Vary`, or `Age`", .succeeds,
                    "delivers the response and ignores the values"),
            ]),
        FaultTheme(
            "Bodies and lengths",
            [
                FaultGroup(
                    6, "connection closed before the declared length", .fails, "fails"),
                FaultGroup(
                    7, "connection reset before the declared length", .fails, "fails"),
                FaultGroup(
                    8, "bytes after the declared length", .succeeds,
                    "ignores them and does not reuse the connection"),
                FaultGroup(
                    10, "equal `Content-Length` values", .succeeds, "accepts the response"),
                FaultGroup(11, "different `Content-Length` values", .fails, "fails"),
                FaultGroup(12, "negative or non-numeric `Content-Length`", .fails, "fails"),
                FaultGroup(
                    13, "`Content-Length` that is signed, hexadecimal, fractional, huge, or empty",
                    .fails, "fails"),
                FaultGroup(14, "white space after a field name", .fails, "fails"),
                FaultGroup(
                    15, "`Content-Length` with chunked coding", .succeeds,
                    "reads the chunks and does not reuse the connection"),
                FaultGroup(
                    35, "204, 205, 304, or response to HEAD with a length or body", .succeeds,
                    "delivers no body, and no later request receives it"),
                FaultGroup(
                    36, only: "a", "206 for a request without a range", .succeeds,
                    "delivers it unchanged; a download fails with `cannotParseResponse`"),
                FaultGroup(
                    48, "endless body, or declared length beyond the limit", .fails,
                    "fails at the limit"),
            ]),
        FaultTheme(
            "Transfer and content codings",
            [
                FaultGroup(16, "connection closed before the chunks end", .fails, "fails"),
                FaultGroup(17, "invalid or wrong chunk size", .fails, "fails"),
                FaultGroup(
                    18, "bare LF in chunk lines, or long chunk extensions", .mixed(failing: "acd"),
                    "ignores at least 4 MiB of extensions, otherwise fails"),
                FaultGroup(
                    19, "20,000 trailer fields, or a trailer of 200 KB", .fails,
                    "fails at the limit"),
                FaultGroup(20, "unknown or unrequested transfer coding", .fails, "fails"),
                FaultGroup(
                    21, "chunked coding twice, after `identity`, or in HTTP/1.0", .succeeds,
                    "accepts it and does not reuse the connection"),
                FaultGroup(41, "truncated gzip, deflate, br, or zstd", .fails, "fails"),
                FaultGroup(
                    42, only: "abdef", "corrupt gzip, br, or zstd, or six nested codings", .fails,
                    "fails"),
                FaultGroup(
                    42, only: "c", "unknown content coding", .succeeds,
                    "delivers the encoded body"),
                FaultGroup(
                    43, "second member or other bytes after gzip, or an empty body", .succeeds,
                    "decodes all members and ignores other bytes"),
                FaultGroup(44, "deflate with or without zlib framing", .succeeds, "decodes both"),
                FaultGroup(
                    45, "gzip, br, or zstd bomb", .fails,
                    "fails at the limit of the body or of its expansion"),
            ]),
        FaultTheme(
            "Documents",
            [
                FaultGroup(
                    90, only: "ce", "byte order mark, or empty body for JSON", .succeeds,
                    "removes the mark, or returns nil for an optional type"),
                FaultGroup(
                    90, only: "abdfghi",
                    "wrong charset, invalid UTF-8, deep JSON, XML entities, or huge numbers",
                    .fails, "fails, and opens no file or connection"),
                FaultGroup(
                    103, "small property list with an enormous or cyclic tree", .fails, "fails"),
            ]),
    ]
}
