import Bluebonnet

// Challenges and cookies.
extension CoveredFault {
    static let credentials = [
        CoveredFault(
            "75i", "a wrong password, asked for again and again", .authentication,
            "asks three times in all, whatever scheme and realm",
            Place(
                "AuthenticationLoopTests",
                "a wrong password is tried three times (fault 75)"),
            Place(
                "ChallengeTaskTests",
                "three refusals end the task, each counted for the hook (S21, fault 75)")),
        CoveredFault(
            "75j", "challenges that are too long, too many, or malformed beside others", nil,
            "reads those that can be read, up to a bound",
            Place(
                "ChallengeParserTests",
                "a malformed challenge is left out and the others are read"),
            Place(
                "ChallengeParserTests",
                "what is too long or too much is left out")),
        CoveredFault(
            "76c", "a connection that Negotiate or NTLM has bound to a credential", nil,
            "there is none: neither scheme is spoken, and their 401 is the response",
            Place(
                "UnsupportedChallengeTests",
                "Negotiate and NTLM alone, and unknown forms of Digest, are a 401 like any other")),
        CoveredFault(
            "77i", "a cookie for a suffix under which others have hosts, such as github.io", nil,
            "keeps it for the suffix alone, if that is the host",
            Place(
                "CookieMatchingTests",
                "a public suffix is no Domain, unless it is the host, which then has it alone (fault 77)"
            )),
        CoveredFault(
            "77j", "a thousand cookies in one response", nil,
            "keeps fifty for a domain",
            Place(
                "HostileCookieTests",
                "a response may set a thousand cookies, of which fifty stay (fault 77)"),
            Place(
                "HostileCookieTests",
                "a domain keeps fifty cookies, those whose last use is longest ago go (fault 77)")),
        CoveredFault(
            "77k", "a cookie over http in the place of a Secure one", nil,
            "keeps the Secure one",
            Place(
                "HostileCookieTests",
                "what came over http neither replaces, removes nor hides a Secure cookie")),
    ]
}
