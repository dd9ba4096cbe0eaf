import Bluebonnet

// What comes of connections, redirects and proxies.
extension CoveredFault {
    static let connections = [
        CoveredFault(
            "36b", "a resumed download is given another range than it asked for", nil,
            "asks for the whole again",
            Place(
                "DownloadResumeTests",
                "another range, tag or total, or none, asks for the whole again, without a range (fault 82)"
            ),
            Place(
                "ContentRangeTests",
                "anything else is refused")),
        CoveredFault(
            "39", "a redirect to another scheme, host or port", nil,
            "follows it without Authorization, cookies and whatever else is named like a secret",
            Place(
                "RedirectSecretsTests",
                "a request's secrets and Host follow within the origin alone (fault 39)"),
            Place(
                "RedirectSecretsTests",
                "fields that are named like secrets, and those that a manager names, stay too (fault 39)"
            ),
            Place(
                "RedirectSecretsTests",
                "secrets do not follow to another port, and do to the same")),
        CoveredFault(
            "40a", "307 for a request whose body is a stream", nil,
            "asks for the stream anew and sends it again",
            Place(
                "RedirectHookTests",
                "bodies of every kind are sent again by a 307, a stream of the request's after asking (fault 40)"
            )),
        CoveredFault(
            "40b", "307 for a request whose body is a stream that nobody can make anew",
            .bodyUsedUp, "fails, and `needsNewBodyStream` of the failure says why",
            Place(
                "RedirectHookTests",
                "a stream that nobody can make again fails a 307 (fault 40)")),
        CoveredFault(
            "47c", "a server that does not answer a connection", .timeout(.connect),
            "ends it by the timeout for connecting",
            Place(
                "TimeoutTests",
                "a server that does not answer a connection is given up after the connect timeout"
            )),
        CoveredFault(
            "54", "hundreds of idle connections are closed at once", nil,
            "notices it at once and closes them too",
            Place(
                "IdleConnectionsTests",
                "hundreds that the server closes at once are closed here too (fault 54)")),
        CoveredFault(
            "55j", "a thousand names at once", nil, "looks up so many at a time",
            Place(
                "AdmissionTests",
                "more new hosts than may be looked up at once are all served, in the end")),
        CoveredFault(
            "55k", "a name with addresses of both kinds, and that of IPv6 never answers", nil,
            "tries the other after 200 milliseconds",
            Place(
                "BlackHoleTests",
                "an address of IPv6 that never answers costs a fraction of a second (fault 55)")),
        CoveredFault(
            "56", "a name that is public at first and private then", .addressDenied,
            "fails before connecting, where an address guard says so",
            Place(
                "GuardedConnectionTests",
                "a name that is public at first and private then is denied then (DNS rebinding)"),
            Place(
                "AddressGuardTests",
                "a name that leads elsewhere at its second look-up is denied after a redirect")),
        CoveredFault(
            "72a", "HTTP/2: hundreds of downloads are cancelled on one connection", nil,
            "goes on with the others, and with new ones",
            Place(
                "MultiplexedStreamsTests",
                "hundreds of cancelled downloads leave later ones their connection's window (fault 72)"
            ),
            Place(
                "MultiplexedStreamsTests",
                "hundreds of cancelled downloads leave one beside them its window (fault 72)")),
        CoveredFault(
            "72b", "HTTP/2: a download that nobody reads, and others on its connection", nil,
            "goes on with the others; libcurl keeps what comes of the first, at most 10 MB",
            Place(
                "MultiplexedStreamsTests",
                "a download that nobody reads holds up no other on its connection (fault 72)")),
        CoveredFault(
            "74b", "a redirect past a proxy that has a password", nil,
            "never sends the proxy's login to a server",
            Place(
                "ProxyChallengeTests",
                "a proxy's credential is sent unasked to the proxy, and follows no redirect past it"
            ),
            Place(
                "ProxyChallengeTests",
                "a host that is reached without the proxy is asked for nothing, and sent nothing (fault 74)"
            )),
    ]
}
