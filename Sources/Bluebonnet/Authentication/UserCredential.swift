import Foundation
import FoundationNetworking

/// The user name and password of a `URLCredential`, extracted only while a field is built.
struct UserCredential {
    let user: String
    let password: String

    /// Extracts the user name and password.
    ///
    /// They are in normalization form C if the server announced UTF-8 (RFC 7616 section 4, RFC 7617
    /// section 2.1).
    init(_ credential: URLCredential, normalizes: Bool) throws(AuthenticationError.Reason) {
        guard let user = credential.user, let password = credential.password else {
            throw .invalidCredential(
                "it has no user name or password; create it with "
                    + "URLCredential(user:password:persistence:)"
            )
        }
        self.user = normalizes ? user.precomposedStringWithCanonicalMapping : user
        self.password = normalizes ? password.precomposedStringWithCanonicalMapping : password
        guard !self.user.holdsControlCharacter else {
            throw .invalidCredential("the user name contains a control character")
        }
    }
}

extension URLCredential {
    /// Returns whether two credentials have the same user name and password.
    func hasSameContent(as other: URLCredential) -> Bool {
        user == other.user && password == other.password
    }
}
