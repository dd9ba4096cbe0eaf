import Bluebonnet
import Foundation
import FoundationNetworking

/// What lets a user in, and what gets the next one.
struct AccessToken: AuthenticationCredential, Codable, Sendable, Hashable {
    var value: String
    var refreshToken: String
    var requiresRefresh: Bool { false }

    init(value: String, refreshToken: String) {
        (self.value, self.refreshToken) = (value, refreshToken)
    }

    var field: String { "Bearer \(value)" }
}

/// Puts the token into each request, and gets a new one when the shop has refused it.
final class BookshopAuthenticator: Authenticator {
    private let baseURL: URL

    init(baseURL: URL) { self.baseURL = baseURL }

    func apply(_ credential: AccessToken, to urlRequest: inout URLRequest) {
        urlRequest.setValue(credential.field, forHTTPHeaderField: "Authorization")
    }

    // Of the session of the request that was refused, but without its token.
    func refresh(
        _ credential: AccessToken, for session: Session
    ) async throws -> AccessToken {
        try await TargetClient(baseURL: baseURL, session: session).send(
            RefreshToken(of: credential))
    }

    func didRequest(
        _ urlRequest: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    func isRequest(
        _ urlRequest: URLRequest, authenticatedWith credential: AccessToken
    ) -> Bool { urlRequest.value(forHTTPHeaderField: "Authorization") == credential.field }
}
