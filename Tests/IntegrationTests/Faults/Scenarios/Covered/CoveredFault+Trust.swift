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
                "a revoked certificate is refused where there are lists, on every connection")),
        CoveredFault(
            "58k", "a client certificate that the server rejects",
            .clientCertificateRejected, "fails",
            Place(
                "RefusedIdentityTests",
                "who has none, one of another authority, or an expired one, is told what is wrong"
            )),
        CoveredFault(
            "60b", "a different certificate on the next connection", nil,
            "evaluates every new connection by the policy of its task",
            Place(
                "TrustTests",
                "every policy judges every certificate alike on new, resumed and reused connections"
            )),
        CoveredFault(
            "61", "a pin mismatch on a new, resumed or reused connection",
            .certificate(.pin), "fails, even if an earlier policy accepted it",
            trustTable,
            Place(
                "PolicyPoolTests",
                "a strict manager never rides on a lax manager's connection or session (F7, F16)"),
            Place(
                "PolicyPoolTests",
                "a pin that changes takes effect with the next task, with connections and sessions of its own"
            )),
        CoveredFault(
            "62a", "a challenge hook that never evaluates the server", .timeout(.challenge),
            "fails its own task at `challengeTimeout` and delays no other",
            Place(
                "UnansweredTrustTests",
                "a task whose hook does not answer in time fails, and the hook is cancelled"),
            Place(
                "UnansweredTrustTests",
                "a hook that never returns holds up nobody but its own task")),
        CoveredFault(
            "62b", "the task whose hook evaluates the server is canceled", nil,
            "calls the hook again for the next waiting task",
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
