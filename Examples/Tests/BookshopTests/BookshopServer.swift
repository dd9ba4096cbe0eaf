import Bluebonnet
import BluebonnetTesting

@testable import Bookshop

/// A shop with the same routes for a stub and for a server.
actor BookshopServer {
    private var books: [Book]
    private var tokenCount = 0

    init(_ books: [Book]) { self.books = books }

    nonisolated func open(on routing: some StubRouting) {
        routing.on(.post, "/v1/session") { request in
            guard try request.json(as: [String: String].self)["password"] == "secret" else {
                return .json(Refusal(reason: "wrong password"), status: 403)
            }
            return .json(await self.newToken())
        }
        routing.on(.post, "/v1/session/refresh") { _ in .json(await self.newToken()) }
        routing.on(.get, "/v1/books") { await self.list($0) }
        routing.on(.put, "/v1/books/:isbn/copies") { try await self.setCopies($0) }
    }

    /// Makes all tokens invalid.
    func expireTokens() { tokenCount += 1 }

    private func newToken() -> AccessToken {
        tokenCount += 1
        return AccessToken(value: "token\(tokenCount)", refreshToken: "refresh\(tokenCount)")
    }

    private func isRefused(_ request: StubRequest) -> Bool {
        request.headers["Authorization"] != "Bearer token\(tokenCount)"
    }

    private func list(_ request: StubRequest) -> StubResponse {
        if isRefused(request) { return .status(401) }
        let first = Int(request.query["from"] ?? "") ?? 0
        let page = StubResponse.json(Array(books.dropFirst(first).prefix(2)))
        guard first + 2 < books.count else { return page }
        return page.header("Link", "<?from=\(first + 2)>; rel=\"next\"")
    }

    private func setCopies(_ request: StubRequest) throws -> StubResponse {
        if isRefused(request) { return .status(401) }
        guard let index = books.firstIndex(where: { $0.isbn == request.parameters["isbn"] }) else {
            return .json(Refusal(reason: "no such book"), status: 404)
        }
        books[index].copies = try request.json(as: [String: Int].self)["copies"] ?? 0
        return .json(books[index])
    }
}
