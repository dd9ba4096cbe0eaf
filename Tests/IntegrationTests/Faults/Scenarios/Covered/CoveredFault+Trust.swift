import Bluebonnet

// Certificates and whoever judges them.
extension CoveredFault {
    static let trust = [
        CoveredFault(
            "57a", "a certificate that has expired", .certificate(.expiry), "fails",
            trustTable),
        CoveredFault(
            "57b", "a certificate that is not valid yet", .certificate(.start), "fails",
            trustTable),
        CoveredFault(
            "57c", "a certificate for another host", .certificate(.hostName), "fails", trustTable),
        CoveredFault(
            "57d", "a certificate that is its own authority", .certificate(.issuer), "fails",
            trustTable),
        CoveredFault(
            "57e", "a certificate of an authority that nobody trusts, or without its intermediate",
            .certificate(.issuer), "fails", trustTable),
        CoveredFault(
            "57f", "a certificate for an address", nil,
            "takes it for that address, and for no name", trustTable),
        CoveredFault(
            "57g", "a certificate for a wildcard, and a host with two labels in its place",
            .certificate(.hostName), "fails: a wildcard is for one label", names),
        CoveredFault(
            "57i", "a certificate that its issuer has revoked", .certificate(.revocation),
            "fails, where the policy has revocation lists",
            Place(
                "RevocationTests",
                "a revoked certificate is refused where there are lists, on every connection")),
        CoveredFault(
            "58k", "a client certificate that the server does not accept",
            .clientCertificateRejected, "fails",
            Place(
                "RefusedIdentityTests",
                "who has none, one of another authority, or an expired one, is told what is wrong"
            )),
        CoveredFault(
            "60b", "a certificate that is another on the next connection", nil,
            "judges every new connection by the policy of its task",
            Place(
                "TrustTests",
                "every policy judges every certificate alike on new, resumed and reused connections"
            )),
        CoveredFault(
            "61", "a pin that does not match, on a new, resumed or reused connection",
            .certificate(.pin), "fails, whatever an earlier policy allowed",
            trustTable,
            Place(
                "PolicyPoolTests",
                "a strict manager never rides on a lax manager's connection or session (F7, F16)"),
            Place(
                "PolicyPoolTests",
                "a pin that changes takes effect with the next task, with connections and sessions of its own"
            )),
        CoveredFault(
            "62a", "a hook for challenges that never answers about a server", .timeout(.challenge),
            "ends its own task by `challengeTimeout` and holds up nobody else",
            Place(
                "UnansweredTrustTests",
                "a task whose hook does not answer in time fails, and the hook is cancelled"),
            Place(
                "UnansweredTrustTests",
                "a hook that never returns holds up nobody but its own task")),
        CoveredFault(
            "62b", "the task that asks about a server is cancelled", nil,
            "asks again for the next that waits",
            Place(
                "UnansweredTrustTests",
                "when the task that asks is cancelled, one that waits asks in its place")),
    ]

    private static let trustTable = Place(
        "TrustTests",
        "every policy judges every certificate alike on new, resumed and reused connections")
    private static let names = Place(
        "TrustTests",
        "a name is for one host in any case, and a wildcard for one label")
}
