import Bluebonnet
import Foundation

/// A client of the shop for one user: it logs in, refreshes its token, and retries what can be.
///
/// ```swift
/// let shop = try await Bookshop.logIn(
///     at: URL(string: "https://books.example.com/v1")!, user: "ada", password: password)
/// for try await page in shop.client.pages(ListBooks()) { print(page.map(\.title)) }
/// ```
struct Bookshop: Sendable {
    /// Sends the requests.
    let client: TargetClient

    /// Logs in, and makes the client of the user.
    ///
    /// - Parameters:
    ///   - baseURL: What the paths of the shop are below.
    ///   - session: Sends the requests; from now on with the user's token. A test passes one with a stub.
    ///   - user: The name.
    ///   - password: The password.
    ///   - plugins: Hear of the calls.
    /// - Returns: The client.
    /// - Throws: Why the login failed.
    static func logIn(
        at baseURL: URL, session: Session = Session(), user: String, password: String,
        plugins: [any PluginType] = []
    ) async throws(BluebonnetError) -> Bookshop {
        let token = try await TargetClient(baseURL: baseURL, session: session)
            .send(LogIn(user: user, password: password))
        session.interceptors = [
            AuthenticationInterceptor(
                authenticator: BookshopAuthenticator(baseURL: baseURL), credential: token),
            RetryPolicy(),
        ]
        return Bookshop(
            client: TargetClient(baseURL: baseURL, session: session, plugins: plugins))
    }

    /// A book; nil where the shop does not have it.
    func book(_ isbn: String) async throws(BluebonnetError) -> Book? {
        do {
            return try await client.send(GetBook(isbn: isbn))
        } catch .unacceptableStatus(404, _) {
            return nil
        }
    }

    /// Why the shop has refused a request, in its own words.
    static func reason(of error: BluebonnetError) -> String? {
        error.decoded(as: Refusal.self)?.reason
    }
}
