import Foundation
import FoundationNetworking

/// User name and password, taken out of a `URLCredential` for as long as a header is built.
struct UserCredential {
    let user: String
    let password: String

    /// Takes them out, in normalization form C where the server announced UTF-8 (RFC 7616
    /// section 4, RFC 7617 section 2.1).
    init(_ credential: URLCredential, normalizes: Bool) throws(AuthenticationError.Reason) {
        guard let user = credential.user, let password = credential.password else {
            throw .invalidCredential(
                "it has no user name or no password; make it with URLCredential(user:password:)"
            )
        }
        self.user = normalizes ? user.precomposedStringWithCanonicalMapping : user
        self.password = normalizes ? password.precomposedStringWithCanonicalMapping : password
        guard !self.user.holdsControlCharacter else {
            throw .invalidCredential("the user name holds a control character")
        }
    }
}

extension URLCredential {
    /// Whether both have the same user name and password.
    func hasSameContent(as other: URLCredential) -> Bool {
        user == other.user && password == other.password
    }
}
