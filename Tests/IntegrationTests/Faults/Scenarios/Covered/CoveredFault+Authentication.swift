import Bluebonnet

// Challenges and cookies.
extension CoveredFault {
    static let credentials = [
        CoveredFault(
            "75i", "a wrong password for every challenge", .authentication,
            "requests three credentials in all, for any scheme and realm",
            Place(
                "AuthenticationLoopTests",
                "a wrong password is tried three times (fault 75)"),
            Place(
                "ChallengeTaskTests",
                "three refusals end the task, and the hook gets their count (S21, fault 75)")),
        CoveredFault(
            "75j", "excessive or malformed challenges beside valid ones", nil,
            "reads the valid challenges up to a limit",
            Place(
                "ChallengeParserTests",
                "a malformed challenge is skipped and the others are read"),
            Place(
                "ChallengeParserTests",
                "challenges and parameters beyond the limits are skipped")),
        CoveredFault(
            "76c", "a connection bound to a credential by Negotiate or NTLM", nil,
            "supports neither scheme and delivers their 401",
            Place(
                "UnsupportedChallengeTests",
                "a 401 with only Negotiate, NTLM or an unknown form of Digest is delivered")),
        CoveredFault(
            "77i", "a cookie for a shared suffix such as github.io", nil,
            "stores it only for the exact host, if the suffix is the host",
            Place(
                "CookieMatchingTests",
                "a public suffix is refused as Domain, except for the host itself (fault 77)"
            )),
        CoveredFault(
            "77j", "1,000 cookies in one response", nil,
            "stores 50 per domain",
            Place(
                "HostileCookieTests",
                "of a thousand cookies in one response, fifty are kept (fault 77)"),
            Place(
                "HostileCookieTests",
                "a domain keeps fifty cookies, and the least recently used are removed (fault 77)")),
        CoveredFault(
            "77k", "a cookie over HTTP with the name of a Secure one", nil,
            "keeps the Secure one",
            Place(
                "HostileCookieTests",
                "a cookie set over http neither replaces, removes nor hides a Secure cookie")),
        CoveredFault(
            "107a", "a server that refuses every token", .unacceptableStatus,
            "sends each request twice",
            Place(
                "AuthenticationInterceptorTests",
                "a server that refuses every token receives each request twice"),
            Place(
                "AuthenticationInterceptorTests",
                "a task whose first token was fetched is sent again with another if that is refused"
            )),
        CoveredFault(
            "107b", "a token service that hangs", .adaptation,
            "fails all waiting tasks at its time limit",
            Place(
                "AuthenticationInterceptorTests",
                "all tasks that wait for a refresh that hangs fail with its error, when it has had its time"
            ),
            Place(
                "AuthenticationInterceptorTests",
                "a refresh that waits for itself from another queue fails with an error that says so"
            )),
    ]
}
