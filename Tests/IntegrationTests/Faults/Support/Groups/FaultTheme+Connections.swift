extension FaultTheme {
    static let connections = [
        FaultTheme(
            "Connections",
            [
                FaultGroup(
                    1, only: "b", "kept connection closed without a response", .succeeds,
                    "sends the request again once, on a new connection"),
                FaultGroup(
                    1, only: "ac", "new connection, or a kept one after a POST, closed likewise",
                    .fails, "fails without sending the request again"),
                FaultGroup(
                    2, only: "b", "kept connection reset without a response", .succeeds,
                    "sends the request again once, on a new connection"),
                FaultGroup(
                    2, only: "ac", "new connection, or a kept one after a POST, reset likewise",
                    .fails, "fails without sending the request again"),
                FaultGroup(
                    9, "second response on an idle connection", .succeeds,
                    "closes the connection, so no request receives it"),
                FaultGroup(
                    52, only: "ace", "kept connection closed during or after a GET or PUT",
                    .succeeds, "sends the request again once, on a new connection"),
                FaultGroup(
                    52, only: "bdf",
                    "kept connection closed during or after a POST, or every connection closed",
                    .fails, "fails, for a GET after sending it twice"),
                FaultGroup(
                    53, "`Connection: close`, HTTP/1.0, or an idle connection closed or reset",
                    .succeeds, "uses a new connection for the next request"),
                FaultGroup(
                    54, "hundreds of idle connections closed at once", .succeeds,
                    "closes them on its side"),
            ]),
        FaultTheme(
            "Names and addresses",
            [
                FaultGroup(
                    47, only: "de", "refused connection or unreachable network", .fails, "fails"),
                FaultGroup(
                    55, only: "abcde", "unknown name, failing lookup, or name without addresses",
                    .fails, "fails"),
                FaultGroup(
                    55, only: "fh", "endless lookup, or only an unreachable IPv6 address", .fails,
                    "fails, at the latest at the connect timeout"),
                FaultGroup(
                    55, only: "gijk",
                    "slow lookup, 1,000 lookups, or a broken IPv6 and a working IPv4 address",
                    .succeeds, "waits, limits simultaneous lookups, or uses IPv4"),
                FaultGroup(
                    56, "name that is public first and private later", .fails,
                    "fails before connecting if an address guard denies it"),
                FaultGroup(
                    79, only: "abd", "non-ASCII host, long URL, or `@` in the path", .succeeds,
                    "sends Punycode and the whole URL"),
                FaultGroup(79, only: "f", "port 0", .fails, "fails"),
                FaultGroup(
                    79, only: "ceghijklm",
                    "invalid or ambiguous host or port, or a password in the URL", .fails,
                    "fails before anything is sent"),
                FaultGroup(94, only: "a", "IPv6 address", .succeeds, "connects to it"),
                FaultGroup(
                    94, only: "bcdefg",
                    "IPv6 address without a server or a valid zone, or a missing Unix socket",
                    .fails, "fails"),
            ]),
        FaultTheme(
            "TLS",
            [
                FaultGroup(
                    57, only: "f", "certificate for an IP address", .succeeds,
                    "accepts it for that address only"),
                FaultGroup(
                    57, only: "abcdeghi",
                    "expired, untrusted, revoked, weak or otherwise invalid certificate", .fails,
                    "fails, if revoked only with revocation lists"),
                FaultGroup(
                    58, only: "abcdegh",
                    "lost connection, alert, TLS 1.1 or other bytes in the handshake", .fails,
                    "fails"),
                FaultGroup(
                    58, only: "f", "silence in the handshake", .fails,
                    "fails at the connect timeout"),
                FaultGroup(
                    58, only: "ijk", "missing or rejected client certificate", .fails, "fails"),
                FaultGroup(
                    59, only: "abdf",
                    "no `close_notify` after a complete body, or from a host that may omit it",
                    .succeeds, "accepts the response"),
                FaultGroup(
                    59, only: "ce", "no `close_notify` after a body without a length", .fails,
                    "fails, because the body may be truncated"),
                FaultGroup(
                    60, "no session resumption, or another certificate on the next connection",
                    .succeeds, "evaluates each new connection by its task's policy"),
                FaultGroup(
                    61, "pin mismatch on a new, resumed or reused connection", .fails,
                    "fails, even if an earlier policy accepted it"),
                FaultGroup(
                    62, only: "a", "challenge hook that never evaluates the server", .fails,
                    "fails without delaying other tasks"),
                FaultGroup(
                    62, only: "b", "cancellation of the task whose hook evaluates the server",
                    .succeeds, "calls the hook for the next waiting task"),
                FaultGroup(
                    101, "authority file that is replaced or unreadable", .succeeds,
                    "uses the new or the last readable file"),
                FaultGroup(
                    104, "server that selects no protocol", .succeeds,
                    "lets no task wait for another's end"),
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
                    "`CONNECT` response with a length or coding, or 502 without a tunnel",
                    .succeeds, "opens the tunnel, or delivers the 502"),
                FaultGroup(
                    74, "proxy with a password", .succeeds,
                    "sends its credentials only to the proxy, even after redirects"),
            ]),
    ]
}
