import FoundationNetworking

/// What requests with one Digest nonce after another have in common.
struct DigestSession: Sendable {
    let challenge: DigestChallenge
    /// The nonce to be used next; `nextnonce` replaces it.
    private(set) var nonce: String
    /// The client's nonce when the session began.
    ///
    /// With a `-sess` algorithm it goes into the session's key, and is sent with every request, so
    /// that a server which computes the key anew each time arrives at the same.
    let firstClientNonce: String

    init(_ challenge: DigestChallenge, clientNonce: String) {
        self.challenge = challenge
        nonce = challenge.nonce
        firstClientNonce = clientNonce
    }

    mutating func use(nextNonce: String) {
        nonce = nextNonce
    }

    /// The part of a nonce's use that differs from request to request.
    struct Turn: Sendable {
        /// How often the nonce has been used, this request included.
        let nonceCount: UInt32
        let clientNonce: String
    }

    /// Makes the field value for one request.
    func authorization(
        of credential: URLCredential,
        line: AuthenticatedRequest.Line,
        body: AuthenticatedRequest.Body,
        turn: Turn
    ) throws(AuthenticationError.Reason) -> DigestAuthorization {
        let user = try UserCredential(credential, normalizes: challenge.usesUTF8)
        return try DigestAuthorization(
            session: self,
            user: user,
            line: line,
            body: body,
            turn: Turn(
                nonceCount: turn.nonceCount,
                clientNonce: challenge.algorithm.isSession ? firstClientNonce : turn.clientNonce
            )
        )
    }
}
