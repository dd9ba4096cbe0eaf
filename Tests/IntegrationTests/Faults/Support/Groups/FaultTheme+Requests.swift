extension FaultTheme {
    static let requests = [
        FaultTheme(
            "Redirects",
            [
                FaultGroup(
                    37, only: "ab", "redirect without a `Location`", .succeeds,
                    "delivers the redirect"),
                FaultGroup(
                    37, only: "dh", "redirect to a relative or non-ASCII URL", .succeeds,
                    "follows it, percent-encoded"),
                FaultGroup(
                    37, only: "cefgi",
                    "redirect to an invalid URL, another scheme, a file, or a URL with a password",
                    .fails, "fails with the redirect in the error"),
                FaultGroup(
                    38, only: "abcf", "redirect loop, too many redirects, or HTTPS to HTTP",
                    .fails, "fails"),
                FaultGroup(38, only: "d", "redirect to a port without a server", .fails, "fails"),
                FaultGroup(
                    38, only: "e", "redirect to a private address", .fails,
                    "fails before connecting if an address guard denies it"),
                FaultGroup(
                    39, "redirect to another origin", .succeeds,
                    "follows it without `Authorization`, cookies and other secrets"),
                FaultGroup(
                    40, only: "a", "307 for a body stream", .succeeds,
                    "requests a new stream and sends it"),
                FaultGroup(
                    40, only: "b", "307 for a body stream that cannot be recreated", .fails,
                    "fails"),
                FaultGroup(
                    98, "redirect with an endless body", .succeeds,
                    "follows it and closes its connection"),
            ]),
        FaultTheme(
            "Timeouts",
            [
                FaultGroup(
                    46, only: "c", "slow body", .succeeds,
                    "accepts the response, because it is not idle"),
                FaultGroup(
                    46, only: "abde", "slow head, overlong response, or body that stops", .fails,
                    "fails at the timeout, which received bytes extend only if it is for idleness"),
                FaultGroup(47, only: "ab", "no response", .fails, "fails at the timeout"),
                FaultGroup(
                    47, only: "c", "server that does not answer a connection request", .fails,
                    "fails at the timeout"),
            ]),
        FaultTheme(
            "Uploads",
            [
                FaultGroup(
                    49, only: "ac", "error status during the upload, then a close", .succeeds,
                    "delivers the response"),
                FaultGroup(
                    49, only: "b", "error status during the upload, then a reset", .varies,
                    "delivers the response if it arrives before the reset"),
                FaultGroup(
                    50, only: "d", "request body read slowly", .succeeds, "sends the body"),
                FaultGroup(
                    50, only: "abc", "request body not read, or only in part", .fails,
                    "fails without spinning"),
                FaultGroup(
                    51, "100 missing, repeated, or replaced by a final response", .succeeds,
                    "sends the body if needed and delivers the final response"),
                FaultGroup(
                    80, only: "cd", "empty body, or body of more than 4 GiB", .succeeds,
                    "sends it with its length"),
                FaultGroup(
                    80, only: "abe", "body stream that fails, stalls, or has a wrong length",
                    .fails, "fails before the whole body is sent"),
                FaultGroup(
                    80, only: "fghi", "file that changes, is unreadable, or is not a regular file",
                    .fails, "fails before the last bytes"),
                FaultGroup(
                    92, only: "acde",
                    "form without parts, with huge parts, or with its boundary in the contents",
                    .succeeds, "sends it in bounded memory, with a new boundary"),
                FaultGroup(
                    92, only: "b", "missing or unreadable file of a form", .fails,
                    "fails and names the part"),
                FaultGroup(
                    92, only: "f", "file of a form that changes", .fails,
                    "fails and names the part"),
            ]),
        FaultTheme(
            "Authentication and cookies",
            [
                FaultGroup(
                    75, only: "aej",
                    "stale Digest nonce, 100 before the 401, or malformed challenges beside others",
                    .succeeds, "answers the valid challenge"),
                FaultGroup(
                    75, only: "bcf", "malformed challenge, or unknown Digest algorithm", .succeeds,
                    "delivers the 401"),
                FaultGroup(
                    75, only: "dghi", "wrong password, stale nonce or new realm every time",
                    .fails, "fails after three credentials or ten exchanges"),
                FaultGroup(
                    76, "Negotiate or NTLM", .succeeds,
                    "answers Basic if offered, otherwise delivers the 401"),
                FaultGroup(
                    77, only: "abcdeghik",
                    "cookie that is too long, malformed, expired, foreign, or secure over HTTP",
                    .succeeds, "does not store it, or only for the exact host"),
                FaultGroup(
                    77, only: "fj", "hundreds of cookies", .succeeds, "stores 50 per domain"),
                FaultGroup(
                    99, "server with a wrong proof of the password", .fails, "fails"),
                FaultGroup(
                    100, "server that echoes secrets", .succeeds,
                    "keeps them out of errors and notifications"),
                FaultGroup(
                    102, "truncated or damaged cookie file", .succeeds,
                    "reports an error, or reads the valid part"),
            ]),
        FaultTheme(
            "Control characters",
            [
                FaultGroup(
                    78, only: "abe", "control characters in a header field, method or credential",
                    .fails, "fails before anything is sent"),
                FaultGroup(
                    78, only: "cd", "line breaks in a URL or in names of a form", .succeeds,
                    "escapes them"),
            ]),
        FaultTheme(
            "Downloads",
            [
                FaultGroup(
                    36, only: "b", "another range than requested", .succeeds,
                    "requests the whole file"),
                FaultGroup(
                    81, "full disk, unusable directory, existing file, or failing move", .fails,
                    "fails, and leaves the destination unchanged"),
                FaultGroup(
                    82, only: "abcdf",
                    "200, 416 or changed file for a resumed download, or damaged partial file",
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
