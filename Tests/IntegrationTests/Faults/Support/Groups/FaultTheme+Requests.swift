extension FaultTheme {
    static let requests = [
        FaultTheme(
            "Redirects",
            [
                FaultGroup(
                    37, only: "abdh",
                    "redirect without a `Location`, or to a relative or non-ASCII URL", .succeeds,
                    "delivers it, or percent-encodes and follows it"),
                FaultGroup(
                    37, only: "cefgi",
                    "redirect to an invalid URL, another scheme, or a URL with a password",
                    .fails, "fails with the redirect in the error"),
                FaultGroup(
                    38,
                    "redirect loop, too many redirects, HTTPS to HTTP, or an unreachable or denied address",
                    .fails, "fails"),
                FaultGroup(
                    39, "redirect to another origin", .succeeds,
                    "follows it without `Authorization`, cookies, and other secrets"),
                FaultGroup(
                    40, "307 for a body stream", .mixed(failing: "b"),
                    "sends a new stream, or fails without one"),
                FaultGroup(
                    98, "redirect with an endless body", .succeeds,
                    "follows it and closes its connection"),
            ]),
        FaultTheme(
            "Timeouts",
            [
                FaultGroup(
                    46, "slow head or body, or a body that stops", .mixed(failing: "abde"),
                    "accepts a slow body, but fails at a timeout"),
                FaultGroup(
                    47, only: "abcf", "no response, or no answer to a connection request", .fails,
                    "fails at the timeout"),
            ]),
        FaultTheme(
            "Uploads",
            [
                FaultGroup(
                    49, "error status during the upload, then a close or reset",
                    .mixed(failing: "b"),
                    "delivers the response if it arrives before a reset"),
                FaultGroup(
                    50, "request body that the server reads slowly, partly, or never",
                    .mixed(failing: "abc"),
                    "sends it, or fails without busy-waiting"),
                FaultGroup(
                    51, "100 missing, repeated, or replaced by a final response", .succeeds,
                    "sends the body if needed and delivers the final response"),
                FaultGroup(
                    80, only: "abcde",
                    "body stream that is empty, huge, silent, failing, or of wrong length",
                    .mixed(failing: "abe"), "sends an empty or huge one, otherwise fails"),
                FaultGroup(
                    80, only: "fghij",
                    "file that is changed, unreadable, irregular, or of false size",
                    .fails, "fails before sending the last bytes"),
                FaultGroup(
                    92, only: "acde",
                    "form without parts, with huge parts, or that contains its boundary",
                    .succeeds, "sends it in bounded memory, with a new boundary"),
                FaultGroup(
                    92, only: "bf", "missing, unreadable, or changing file of a form", .fails,
                    "fails and names the part"),
            ]),
        FaultTheme(
            "Authentication and cookies",
            [
                FaultGroup(
                    75, only: "abcefj",
                    "stale Digest nonce, malformed challenge, or unknown algorithm", .succeeds,
                    "answers a valid challenge, otherwise delivers the 401"),
                FaultGroup(
                    75, only: "dghi", "wrong password, stale nonce, or new realm every time",
                    .fails, "fails after three credentials or ten exchanges"),
                FaultGroup(
                    76, "Negotiate or NTLM", .succeeds,
                    "answers Basic if offered, otherwise delivers the 401"),
                FaultGroup(
                    77, "invalid, foreign, or expired cookies, or hundreds of them", .succeeds,
                    "stores only valid ones, up to 50 per domain"),
                FaultGroup(
                    99, "Digest server that fails to prove the password", .fails, "fails"),
                FaultGroup(
                    100, "server that echoes secrets", .succeeds,
                    "keeps them out of errors and notifications"),
                FaultGroup(
                    102, "truncated or damaged cookie file", .succeeds,
                    "reports an error, or reads the valid part"),
                FaultGroup(
                    107, "server that refuses every token, or token service that hangs", .fails,
                    "sends each request twice, or fails after 60 seconds"),
            ]),
        FaultTheme(
            "Files and resumed downloads",
            [
                FaultGroup(
                    36, only: "b", "resumed download with another range than requested", .succeeds,
                    "requests the whole file"),
                FaultGroup(
                    81, "full disk, unusable directory, existing or special file, or failing move",
                    .fails,
                    "fails, leaves the destination unchanged and at most one partial file"),
                FaultGroup(
                    82, only: "abcdf",
                    "200, 416, or changed file for a resumed download, or damaged partial file",
                    .succeeds, "starts again, or finishes if the file is complete"),
                FaultGroup(
                    82, only: "e", "resumed download interrupted repeatedly", .fails,
                    "fails each time with resume data"),
                FaultGroup(
                    93, "file name with directories", .succeeds,
                    "uses the last path component of the name or URL"),
                FaultGroup(96, "disk that hangs", .succeeds, "delays only that download"),
                FaultGroup(
                    97, "damaged or foreign resume data", .fails, "fails before anything is sent"),
            ]),
    ]
}
