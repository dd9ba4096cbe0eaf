import BluebonnetChain
import BluebonnetTesting
import ServerFrameworkNames
import Testing

/// What code must write if it imports both the library and a server framework.
///
/// Names that both modules declare need the module's name in front. All others need nothing.
@Suite("Beside a server framework with the same names")
struct ServerFrameworkTests {
    private struct User: Decodable, Sendable { let name: String }
    private final class Login: Bluebonnet.Authenticator {
        struct Credential: AuthenticationCredential { let requiresRefresh = false }
        func apply(_ credential: Credential, to urlRequest: inout URLRequest) {}
        func refresh(_ credential: Credential, for session: Bluebonnet.Session) async throws
            -> Credential
        { credential }
        func didRequest(
            _ urlRequest: URLRequest, with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool { false }
        func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool {
            true
        }
    }
    private final class Framework: ServerFrameworkNames.Authenticator {}

    @Test("names that both modules declare need the module's name, and literals do not")
    func names() async throws {
        let stub = StubTransport()
        stub.on("/**", .json(["name": "Ann"]))
        let session = Bluebonnet.Session(transport: stub)
        let parameters: Bluebonnet.Parameters = ["a": 1]
        let headers: Bluebonnet.HTTPHeaders = [.accept("application/json")]
        let method: Bluebonnet.HTTPMethod = .get
        let interceptor = AuthenticationInterceptor(
            authenticator: Login(), credential: Login.Credential())
        let request: Bluebonnet.Request = session.request(
            "http://h/", method: method, parameters: parameters, headers: headers,
            interceptor: interceptor)
        #expect(request.isInitialized)
        let user = try await session.request("http://h/", method: .get, parameters: ["a": 1])
            .validate().serializingDecodable(User.self).value
        #expect(user.name == "Ann")
        let response: Bluebonnet.Response<Bluebonnet.Empty> = await session.request(
            "http://h/"
        )
        .serializingDecodable(Bluebonnet.Empty.self).response
        #expect(response.error == nil)
        _ = (
            ServerFrameworkNames.Request(), ServerFrameworkNames.Response(),
            ServerFrameworkNames.HTTPHeaders(), ServerFrameworkNames.HTTPMethod(),
            ServerFrameworkNames.Session(), ServerFrameworkNames.Parameters(),
            ServerFrameworkNames.Empty(), Framework()
        )
    }
}
