import Bluebonnet

/// A client of the shop for one user, who has logged in.
///
/// It refreshes the user's token when the shop refuses it, and retries what can be retried.
struct Bookshop: Sendable {
    let client: APIClient

    /// Logs in.
    ///
    /// From then on, the session sends the user's token with every request.
    static func logIn(
        at baseURL: URL, session: Session = Session(), user: String, password: String
    ) async throws(BluebonnetError) -> Bookshop {
        let client = APIClient(baseURL: baseURL, session: session)
        let token = try await client.send(LogIn(body: .init(user: user, password: password)))
        session.interceptors = [
            AuthenticationInterceptor(
                authenticator: BookshopAuthenticator(baseURL: baseURL), credential: token),
            .server,
        ]
        return Bookshop(client: client)
    }

    /// Returns all books, from as many pages as there are.
    func books() async throws -> [Book] {
        var books: [Book] = []
        for try await page in client.pages(ListBooks()) { books += page }
        return books
    }

    /// Sets the number of copies of a book, and returns the book as it is now.
    func setCopies(of isbn: String, to copies: Int) async throws(BluebonnetError) -> Book {
        try await client.send(SetCopies(isbn: isbn, body: ["copies": copies]))
    }
}

/// Adds the token to requests, and gets a new one when the shop has refused it.
final class BookshopAuthenticator: Authenticator {
    private let baseURL: URL

    init(baseURL: URL) { self.baseURL = baseURL }

    func apply(_ token: AccessToken, to request: inout URLRequest) {
        request.setValue(token.field, forHTTPHeaderField: "Authorization")
    }

    func refresh(_ token: AccessToken, for session: Session) async throws -> AccessToken {
        try await APIClient(baseURL: baseURL, session: session)
            .send(RefreshToken(body: ["refreshToken": token.refreshToken]))
    }

    func didRequest(
        _ request: URLRequest, with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool { response.statusCode == 401 }

    func isRequest(_ request: URLRequest, authenticatedWith token: AccessToken) -> Bool {
        request.value(forHTTPHeaderField: "Authorization") == token.field
    }
}
