import Bluebonnet

struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct UserService: Sendable {
    let api: HTTPSessionManager

    /// Returns nil for an unknown user.
    func user(_ id: Int) async throws(BluebonnetError) -> User? {
        do {
            return try await api.get("users/\(id)", as: User.self)
        } catch .unacceptableStatus(404, _) {
            return nil
        }
    }

    func add(name: String) async throws(BluebonnetError) -> User {
        try await api.post("users", parameters: ["name": name])
    }

    /// Resumes an interrupted download once.
    func savePicture(of id: Int, to file: URL) async throws(BluebonnetError) {
        let path = "users/\(id)/picture"
        do {
            try await api.download(path, to: file, options: .file(.keepsPartialFile))
        } catch {
            guard let resumeData = error.resumeData else { throw error }
            try await api.download(path, resumingWith: resumeData, to: file)
        }
    }
}

struct Token: AuthenticationCredential, Sendable {
    var value: String
    var requiresRefresh: Bool { false }
    var field: String { "Bearer \(value)" }
}

final class Tokens: Authenticator {
    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
        urlRequest.setValue(credential.field, forHTTPHeaderField: "Authorization")
    }

    func refresh(_ credential: Token, for session: Session) async throws -> Token {
        Token(value: String(decoding: try await session.get("token"), as: UTF8.self))
    }

    func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
        urlRequest.value(forHTTPHeaderField: "Authorization") == credential.field
    }
}
