import BluebonnetTransport
import Foundation
import FoundationNetworking

extension URLRequest {
    /// The method and the URL without secrets, for text that can be logged.
    package var summary: String {
        let method = httpMethod ?? "GET"
        // A method that is refused can contain a line break.
        let shown = method.utf8.allSatisfy(\.isTokenByte) ? method : method.quoted
        return "\(shown) \(url?.withoutSecrets ?? "no URL")"
    }
}

extension URL {
    /// The URL without user, password, query and fragment, any of which can be secret.
    package var withoutSecrets: String {
        // Without a host, a text that was meant as a password is part of the path.
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            parts.host?.isEmpty == false, !isPerhapsLogin(parts)
        else { return absoluteString.withoutURLSecrets }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "invalid URL"
    }

    /// Returns whether host and port could be a name and a password that contains a `?` or `#`.
    private func isPerhapsLogin(_ parts: URLComponents) -> Bool {
        parts.percentEncodedPath.isEmpty
            && [parts.percentEncodedQuery, parts.percentEncodedFragment].contains {
                $0?.utf8.contains(UInt8(ascii: "@")) == true
            }
    }
}
