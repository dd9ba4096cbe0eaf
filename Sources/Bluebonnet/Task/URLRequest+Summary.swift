import BluebonnetTransport
import Foundation
import FoundationNetworking

extension URLRequest {
    /// Method and URL without secrets, for texts that may go to a log.
    var summary: String {
        let method = httpMethod ?? "GET"
        // One that is refused may hold a line's end.
        let shown = method.utf8.allSatisfy(\.isTokenByte) ? method : method.quoted
        return "\(shown) \(url?.withoutSecrets ?? "no URL")"
    }
}

extension URL {
    /// The URL without user, password, query and fragment, any of which may be secret.
    var withoutSecrets: String {
        // Without a host, what was meant for a password is a part of the path.
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            parts.host?.isEmpty == false, !isPerhapsLogin(parts)
        else { return absoluteString.withoutURLSecrets }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "invalid URL"
    }

    /// Whether host and port may be a name and a password that holds a `?` or `#`.
    private func isPerhapsLogin(_ parts: URLComponents) -> Bool {
        parts.percentEncodedPath.isEmpty
            && [parts.percentEncodedQuery, parts.percentEncodedFragment].contains {
                $0?.utf8.contains(UInt8(ascii: "@")) == true
            }
    }
}
