import Foundation
import FoundationNetworking

/// Makes the field value of Basic authentication (RFC 7617).
///
/// User name and password are sent in UTF-8, whether or not the server asks for it: the RFC leaves
/// the encoding open otherwise, and no other is understood more widely.
enum BasicAuthorization {
    static func fieldValue(
        for credential: URLCredential,
        usesUTF8: Bool
    ) throws(AuthenticationError.Reason) -> String {
        let credential = try UserCredential(credential, normalizes: usesUTF8)
        guard !credential.user.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidCredential(
                "the user name holds a colon, which Basic takes for its end (RFC 7617)"
            )
        }
        guard !credential.password.holdsControlCharacter else {
            throw .invalidCredential("the password holds a control character")
        }
        let text = Data("\(credential.user):\(credential.password)".utf8)
        return "Basic \(text.base64EncodedString())"
    }
}
