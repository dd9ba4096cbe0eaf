import Foundation
import FoundationNetworking

/// Creates the field value of Basic authentication (RFC 7617).
///
/// The user name and password are always sent in UTF-8. If the server does not ask for it, the RFC
/// leaves the encoding open, and no other encoding is more widely supported.
enum BasicAuthorization {
    static func fieldValue(
        for credential: URLCredential,
        usesUTF8: Bool
    ) throws(AuthenticationError.Reason) -> String {
        let credential = try UserCredential(credential, normalizes: usesUTF8)
        guard !credential.user.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidCredential(
                "the user name contains a colon, which Basic does not allow (RFC 7617)"
            )
        }
        guard !credential.password.holdsControlCharacter else {
            throw .invalidCredential("the password contains a control character")
        }
        let text = Data("\(credential.user):\(credential.password)".utf8)
        return "Basic \(text.base64EncodedString())"
    }
}
