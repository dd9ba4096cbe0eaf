import Bluebonnet

// Certificates and whoever judges them.
extension CoveredFault {
    static let trust = [
        CoveredFault(
            "57a", "an expired certificate", .certificate(.expiry), "fails",
            trustTable),
        CoveredFault(
            "57b", "a certificate that is not valid yet", .certificate(.start), "fails",
            trustTable),
        CoveredFault(
            "57c", "a certificate for another host", .certificate(.hostName), "fails", trustTable),
        CoveredFault(
            "57d", "a self-signed certificate", .certificate(.issuer), "fails",
            trustTable),
        CoveredFault(
            "57e", "a certificate from an untrusted authority, or without its intermediate",
            .certificate(.issuer), "fails", trustTable),
        CoveredFault(
            "57f", "a certificate for an IP address", nil,
            "accepts it for that address and for no name", trustTable),
        CoveredFault(
            "57g", "a wildcard certificate for a host with two labels in place of the wildcard",
            .certificate(.hostName), "fails, because a wildcard matches one label", names),
        CoveredFault(
            "57i", "a revoked certificate", .certificate(.revocation),
            "fails if the policy has revocation lists",
            Place(
                "RevocationTests",
                "with revocation lists, a revoked certificate is refused on every connection")),
        CoveredFault(
            "58k", "a client certificate that the server rejects",
            .clientCertificateRejected, "fails",
            Place(
                "RefusedIdentityTests",
                "with no identity, one of another authority, or an expired one, the error says so"
            )),
        CoveredFault(
            "60b", "a different certificate on the next connection", nil,
            "evaluates every new connection by the policy of its task",
            Place(
                "TrustTests",
                "every policy has the same verdicts on new, resumed and reused connections"
            )),
        CoveredFault(
            "61", "a pin mismatch on a new, resumed or reused connection",
            .certificate(.pin), "fails, even if an earlier policy accepted it",
            trustTable,
            Place(
                "PolicyPoolTests",
                "a strict manager never uses a lax manager's connection or session"),
            Place(
                "PolicyPoolTests",
                "a changed pin applies to the next task, with new connections and sessions"
            )),
        CoveredFault(
            "62a", "a challenge hook that never evaluates the server", .timeout(.challenge),
            "fails its own task at `challengeTimeout` and delays no other",
            Place(
                "UnansweredTrustTests",
                "a task whose hook does not answer in time fails, and the hook is canceled"),
            Place(
                "UnansweredTrustTests",
                "a hook that never returns delays only its own task")),
        CoveredFault(
            "62b", "the task whose hook evaluates the server is canceled", nil,
            "calls the hook again for the next waiting task",
            Place(
                "UnansweredTrustTests",
                "if the asking task is canceled, a waiting one asks in its place")),
    ]

    private static let trustTable = Place(
        "TrustTests",
        "every policy has the same verdicts on new, resumed and reused connections")
    private static let names = Place(
        "TrustTests",
        "a name matches one host in any case, and a wildcard one label")
}
