import Bluebonnet

// What comes of connections, redirects and proxies.
extension CoveredFault {
    static let connections = [
        CoveredFault(
            "36b", "a resumed download receives another range than requested", nil,
            "requests the whole file again",
            Place(
                "DownloadResumeTests",
                "another range, tag or total, or none, starts over without a range (fault 82)"
            ),
            Place(
                "ContentRangeTests",
                "anything else is refused")),
        CoveredFault(
            "39", "a redirect to another scheme, host or port", nil,
            "follows it without Authorization, cookies and other fields with names of secrets",
            Place(
                "RedirectSecretsTests",
                "secrets and Host of a request stay within the origin (fault 39)"),
            Place(
                "RedirectSecretsTests",
                "fields with secret names, and those that a manager lists, stay too (fault 39)"
            ),
            Place(
                "RedirectSecretsTests",
                "secrets are sent to the same port only")),
        CoveredFault(
            "40a", "307 for a request with a body stream", nil,
            "requests a new stream and sends it again",
            Place(
                "RedirectHookTests",
                "a 307 sends bodies of every kind again, and requests a new stream (fault 40)"
            )),
        CoveredFault(
            "40b", "307 for a request with a body stream that cannot be recreated",
            .bodyUsedUp, "fails with `needsNewBodyStream` set in the failure",
            Place(
                "RedirectHookTests",
                "a stream that cannot be created again fails a 307 (fault 40)")),
        CoveredFault(
            "47c", "a server that does not answer a connection request", .timeout(.connect),
            "fails at the connect timeout",
            Place(
                "TimeoutTests",
                "the connect timeout ends an exchange if the server does not answer"
            ),
            Place(
                "TimeoutAccuracyTests",
                "so does the connect timeout, without an answer and during a TLS handshake")),
        CoveredFault(
            "54", "hundreds of idle connections are closed at once", nil,
            "closes them on its side at once",
            Place(
                "IdleConnectionsTests",
                "hundreds that the server closes at once are closed here too (fault 54)")),
        CoveredFault(
            "55j", "1,000 names at once", nil, "limits simultaneous lookups",
            Place(
                "AdmissionTests",
                "more new hosts than the limit of look-ups are all served"),
            Place(
                "LookUpLimitTests", "slow look-ups hold up no exchange that looks up nothing")),
        CoveredFault(
            "55k", "a name with a silent IPv6 address and an IPv4 address", nil,
            "tries IPv4 after 250 ms",
            Place(
                "BlackHoleTests",
                "an address of IPv6 that never answers costs a fraction of a second (fault 55)")),
        CoveredFault(
            "56", "a name that is public first and private later", .addressDenied,
            "fails before connecting if an address guard denies it",
            Place(
                "GuardedConnectionTests",
                "a name that becomes private is denied (DNS rebinding)"),
            Place(
                "AddressGuardTests",
                "a name that leads elsewhere at its second look-up is denied after a redirect")),
        CoveredFault(
            "72a", "HTTP/2: hundreds of canceled downloads on one connection", nil,
            "continues other downloads and starts new ones",
            Place(
                "MultiplexedStreamsTests",
                "hundreds of canceled downloads do not reduce the window for later ones (fault 72)"
            ),
            Place(
                "MultiplexedStreamsTests",
                "hundreds of canceled downloads do not reduce the window of a running one (fault 72)"
            )),
        CoveredFault(
            "72b", "HTTP/2: an unread download beside others on its connection", nil,
            "continues the others, while libcurl buffers at most 10 MB of the first",
            Place(
                "MultiplexedStreamsTests",
                "a download without a reader does not delay others on its connection (fault 72)")),
        CoveredFault(
            "74b", "a redirect that bypasses a proxy with a password", nil,
            "never sends the proxy's credentials to a server",
            Place(
                "ProxyChallengeTests",
                "a proxy's credential is sent to it in advance, and to no host behind a redirect"
            ),
            Place(
                "ProxyChallengeTests",
                "a host that is reached directly gets no proxy credentials (fault 74)"
            )),
    ]
}
