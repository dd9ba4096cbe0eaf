extension FaultTheme {
    static let connections = [
        FaultTheme(
            "Connections",
            [
                FaultGroup(
                    1, "connection closed without a response", .mixed(failing: "ac"),
                    "sends a GET on a reused connection again, otherwise fails"),
                FaultGroup(
                    2, "connection reset without a response", .mixed(failing: "ac"),
                    "sends a GET on a reused connection again, otherwise fails"),
                FaultGroup(
                    9, "unrequested response on an idle connection", .succeeds,
                    "closes the connection, so no request receives it"),
                FaultGroup(
                    47, only: "de", "refused connection or unreachable network", .fails, "fails"),
                FaultGroup(
                    52, "reused connection closed during or after a request",
                    .mixed(failing: "bdf"),
                    "sends a GET or PUT again, otherwise fails"),
                FaultGroup(
                    53, "`Connection: close`, HTTP/1.0, or an idle connection closed or reset",
                    .succeeds, "uses a new connection for the next request"),
                FaultGroup(
                    54, "hundreds of idle connections closed at once", .succeeds,
                    "closes them on its side"),
            ]),
        FaultTheme(
            "Names, addresses, and URLs",
            [
                FaultGroup(
                    55, only: "abcdefh",
                    "unknown host, failed or endless lookup, or only an unreachable IPv6 address",
                    .fails, "fails at the connect timeout or before"),
                FaultGroup(
                    55, only: "gijk",
                    "slow lookup, 1,000 lookups, or a broken IPv6 and a working IPv4 address",
                    .succeeds, "waits, limits simultaneous lookups, or uses IPv4"),
                FaultGroup(
                    56, "host whose address changes from public to private", .fails,
                    "fails before connecting if an address guard denies it"),
                FaultGroup(
                    78, "control characters in a request", .mixed(failing: "abe"),
                    "escapes them in URLs and form names, otherwise fails"),
                FaultGroup(
                    79, only: "abd", "non-ASCII host, long URL, or `@` in the path", .succeeds,
                    "sends Punycode, the whole path, and no fragment"),
                FaultGroup(
                    79, only: "cefghijklm",
                    "invalid or ambiguous host or port, or a password in the URL", .fails,
                    "fails before anything is sent"),
                FaultGroup(
                    94, "IPv6 address or Unix socket", .mixed(failing: "bcdefg"),
                    "connects, or fails if there is no server"),
            ]),
        FaultTheme(
            "TLS",
            [
                FaultGroup(
                    57, "invalid, revoked, or weak certificate, or one for an IP address",
                    .mixed(failing: "abcdeghi"),
                    "fails, but accepts the right IP address"),
                FaultGroup(
                    58, only: "abcdefgh",
                    "silence, lost connection, alert, TLS 1.1, or non-TLS bytes in the handshake",
                    .fails, "fails at the connect timeout or before"),
                FaultGroup(
                    58, only: "ijk", "missing or rejected client certificate", .fails, "fails"),
                FaultGroup(
                    59, "no `close_notify`", .mixed(failing: "ce"),
                    "accepts a body with a length or from an exempt host, otherwise fails"),
                FaultGroup(
                    60, "no session resumption, or another certificate on the next connection",
                    .succeeds, "evaluates each new connection by its task's policy"),
                FaultGroup(
                    61, "pin mismatch on a new, resumed, or reused connection", .fails,
                    "fails, even if an earlier policy accepted it"),
                FaultGroup(
                    62, "challenge hook that never answers, or whose task is canceled",
                    .mixed(failing: "a"),
                    "fails that task and calls the hook for the next one"),
                FaultGroup(
                    101, "authority file that is replaced or unreadable", .succeeds,
                    "uses the new or the last readable file"),
                FaultGroup(
                    104, "server that selects no ALPN protocol", .succeeds,
                    "starts tasks without waiting for others"),
            ]),
        FaultTheme(
            "Proxies",
            [
                FaultGroup(
                    73, only: "abcdo", "`CONNECT` refused with 407 or 502", .fails,
                    "fails with the proxy's status code"),
                FaultGroup(
                    73, only: "efghklm", "proxy that is silent, malformed, or disconnects", .fails,
                    "fails"),
                FaultGroup(
                    73, only: "ijn",
                    "`CONNECT` accepted with a length or coding, or 502 for plain HTTP",
                    .succeeds, "opens the tunnel, or delivers the 502"),
                FaultGroup(
                    74, "proxy with a password", .succeeds,
                    "sends its credentials only to the proxy, even after redirects"),
            ]),
    ]
}
