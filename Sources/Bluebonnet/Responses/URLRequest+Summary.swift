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
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return absoluteString.withoutURLSecrets
        }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? "invalid URL"
    }
}

extension String {
    /// The text without the secrets of a request's header fields.
    func hidingSecrets(of request: URLRequest) -> String {
        var text = self
        for (name, value) in request.allHTTPHeaderFields ?? [:]
        where SecretFieldNames.contains(name) {
            for secret in value.secrets where secret.count >= Self.shortestSecret {
                text = text.replacing(secret, with: "<redacted>")
            }
        }
        return text
    }

    /// Shorter ones would make holes in words that are not secret.
    private static let shortestSecret = 6

    /// What may be secret in a field's value: all of it, what follows a scheme, values of
    /// parameters and cookies, and the password of Basic.
    private var secrets: [String] {
        let words = split { " ;,".contains($0) }
        let data = words.count == 2 ? words[1...] : words[...]
        let values = data.map { word in
            word.drop { $0 != "=" }.dropFirst().trimmingCharacters(in: ["\"", "="])
        }
        let password = data.last.flatMap { Data(base64Encoded: String($0)) }
            .flatMap { String(data: $0, encoding: .utf8) }
            .map { String($0.drop { $0 != ":" }.dropFirst()) }
        return [self] + data.map(String.init) + values + [password].compactMap(\.self)
    }
}
