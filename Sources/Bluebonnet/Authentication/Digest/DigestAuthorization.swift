import BluebonnetTransport
import Foundation

/// The answer to a Digest challenge for one request (RFC 7616 section 3.4).
struct DigestAuthorization: Sendable {
    let fieldValue: String
    /// The values that a server returns if it knows the password.
    let expectation: DigestExpectation

    init(
        session: DigestSession,
        user: UserCredential,
        line: AuthenticatedRequest.Line,
        body: AuthenticatedRequest.Body,
        turn: DigestSession.Turn
    ) throws(AuthenticationError.Reason) {
        let challenge = session.challenge
        let algorithm = challenge.algorithm
        let quality = try Self.quality(of: challenge, body: body)
        let key = try Self.key(session: session, user: user)

        /// Returns the response of RFC 7616 section 3.4.1, or that of RFC 2069 without a qop.
        func response(to action: String) throws(AuthenticationError.Reason) -> String {
            var parts = [key, session.nonce]
            if let quality {
                parts += [turn.nonceCount.eightDigits, turn.clientNonce, quality.rawValue]
            }
            parts.append(try algorithm.hash(action))
            return try algorithm.hash(parts.joined(separator: ":"))
        }

        var action = "\(line.method):\(line.target)"
        if quality == .authInt { action += ":\(try Self.hash(of: body, algorithm))" }
        fieldValue = Self.fieldValue(
            [
                try Self.userParameter(challenge, user: user),
                ("realm", challenge.realm.quotedString),
                ("nonce", session.nonce.quotedString),
                ("uri", line.target.quotedString),
                ("response", try response(to: action).quotedString),
                ("algorithm", challenge.algorithmName),
                ("opaque", challenge.opaque?.quotedString),
                ("qop", quality?.rawValue),
                ("nc", quality.map { _ in turn.nonceCount.eightDigits }),
                ("cnonce", quality.map { _ in turn.clientNonce.quotedString }),
                ("userhash", challenge.hashesUserName ? "true" : nil),
            ]
        )
        // With auth-int, the server's proof covers the response body, which is not available here.
        expectation = DigestExpectation(
            proof: quality == .auth ? try response(to: ":\(line.target)") : nil,
            nonceCount: quality.map { _ in turn.nonceCount.eightDigits },
            clientNonce: quality.map { _ in turn.clientNonce }
        )
    }

    private static func fieldValue(_ parameters: [(name: String, value: String?)]) -> String {
        let texts = parameters.compactMap { name, value in value.map { "\(name)=\($0)" } }
        return "Digest \(texts.joined(separator: ", "))"
    }

    /// Returns the qop for a request, or nil for the form of RFC 2069.
    ///
    /// It is `auth-int` if there is a body in memory to protect, or if nothing else is offered.
    private static func quality(
        of challenge: DigestChallenge,
        body: AuthenticatedRequest.Body
    ) throws(AuthenticationError.Reason) -> DigestChallenge.Quality? {
        guard challenge.qualities.contains(.authInt) else {
            return challenge.qualities.isEmpty ? nil : .auth
        }
        let offersAuth = challenge.qualities.contains(.auth)
        switch body {
        case .data: return .authInt
        case .none: return offersAuth ? .auth : .authInt
        case .notInMemory:
            guard offersAuth else { throw .bodyNotInMemory }
            return .auth
        }
    }

    private static func hash(
        of body: AuthenticatedRequest.Body,
        _ algorithm: DigestAlgorithm
    ) throws(AuthenticationError.Reason) -> String {
        switch body {
        case .none: try algorithm.hash("")
        case .data(let data): try algorithm.hash(data)
        case .notInMemory: throw .bodyNotInMemory
        }
    }

    /// Returns `H(A1)` of RFC 7616 section 3.4.2.
    private static func key(
        session: DigestSession,
        user: UserCredential
    ) throws(AuthenticationError.Reason) -> String {
        let challenge = session.challenge
        let algorithm = challenge.algorithm
        let key = try algorithm.hash("\(user.user):\(challenge.realm):\(user.password)")
        guard algorithm.isSession else { return key }
        // The session's key always uses the challenge's nonce, even after a `nextnonce`.
        return try algorithm.hash("\(key):\(challenge.nonce):\(session.firstClientNonce)")
    }

    private static func userParameter(
        _ challenge: DigestChallenge,
        user: UserCredential
    ) throws(AuthenticationError.Reason) -> (String, String?) {
        if challenge.hashesUserName {
            let hash = try challenge.algorithm.hash("\(user.user):\(challenge.realm)")
            return ("username", hash.quotedString)
        }
        return user.user.utf8.allSatisfy { $0 < 0x80 }
            ? ("username", user.user.quotedString)
            : ("username*", user.user.extendedValue)
    }
}

extension UInt32 {
    fileprivate var eightDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
