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
                "three refusals end the task, each counted for the hook (S21, fault 75)")),
        CoveredFault(
            "75j", "excessive or malformed challenges beside valid ones", nil,
            "reads the valid challenges up to a limit",
            Place(
                "ChallengeParserTests",
                "a malformed challenge is left out and the others are read"),
            Place(
                "ChallengeParserTests",
                "what is too long or too much is left out")),
        CoveredFault(
            "76c", "a connection bound to a credential by Negotiate or NTLM", nil,
            "supports neither scheme and delivers their 401",
            Place(
                "UnsupportedChallengeTests",
                "Negotiate and NTLM alone, and unknown forms of Digest, are a 401 like any other")),
        CoveredFault(
            "77i", "a cookie for a shared suffix such as github.io", nil,
            "stores it only for the exact host, if the suffix is the host",
            Place(
                "CookieMatchingTests",
                "a public suffix is no Domain, unless it is the host, which then has it alone (fault 77)"
            )),
        CoveredFault(
            "77j", "1,000 cookies in one response", nil,
            "stores 50 per domain",
            Place(
                "HostileCookieTests",
                "a response may set a thousand cookies, of which fifty stay (fault 77)"),
            Place(
                "HostileCookieTests",
                "a domain keeps fifty cookies, those whose last use is longest ago go (fault 77)")),
        CoveredFault(
            "77k", "a cookie over HTTP with the name of a Secure one", nil,
            "keeps the Secure one",
            Place(
                "HostileCookieTests",
                "what came over http neither replaces, removes nor hides a Secure cookie")),
    ]
}
