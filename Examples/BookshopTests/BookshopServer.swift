import Bluebonnet
@testable import BluebonnetExampleBookshop
import BluebonnetTesting
import Foundation

/// The shop itself, as far as tests need it: the same routes for a stub and for a server.
actor BookshopServer {
    private var books: [String: Book] = [:]
    private var tokenCount = 0
    private(set) var covers: [String: Data] = [:]

    init(_ books: [Book] = []) {
        for book in books { self.books[book.isbn] = book }
    }

    nonisolated func open(on routing: some StubRouting) {
        routing.on(.post, "/v1/session") { request in
            let login = try request.json(as: [String: String].self)
            guard login["password"] == "secret" else { return .refusal(403, "wrong password") }
            return .json(await self.newToken())
        }
        routing.on(.post, "/v1/session/refresh") { _ in .json(await self.newToken()) }
        routing.on("/v1/books") { request in
            try await self.guarded(request) { try await self.answer(listOrAdd: request) }
        }
        routing.on("/v1/books/:isbn") { request in
            try await self.guarded(request) { try await self.answer(one: request) }
        }
        routing.on(.put, "/v1/books/:isbn/cover") { request in
            try await self.guarded(request) {
                await self.setCover(request)
                return .status(204)
            }
        }
        routing.on("/v1/books/:isbn/text") { request in
            try await self.guarded(request) { .text("Once upon a time") }
        }
        routing.on("/v1/stock/changes") { request in
            try await self.guarded(request) {
                .text("{\"isbn\":\"1\",\"copies\":2}\n{\"isbn\":\"1\",\"copies\":1}\n")
            }
        }
    }

    /// Makes the tokens that are out there invalid.
    func expireTokens() { tokenCount += 1 }

    private func newToken() -> AccessToken {
        tokenCount += 1
        return AccessToken(value: "token\(tokenCount)", refreshToken: "refresh\(tokenCount)")
    }

    private func guarded(
        _ request: StubRequest, _ answer: @Sendable () async throws -> StubResponse
    ) async throws -> StubResponse {
        guard request.headers["Authorization"] == "Bearer token\(tokenCount)" else {
            return .refusal(401, "the token has expired")
        }
        return try await answer()
    }

    private func answer(listOrAdd request: StubRequest) throws -> StubResponse {
        if request.method == .post {
            let book: Book = try request.json()
            books[book.isbn] = book
            return .json(book, status: 201)
        }
        let size = Int(request.query["pageSize"] ?? "") ?? 50
        let first = Int(request.query["from"] ?? "") ?? 0
        let found = books.values.sorted { $0.isbn < $1.isbn }
            .filter { request.query["title"].map($0.title.contains) ?? true }
        let page = StubResponse.json(Array(found.dropFirst(first).prefix(size)))
        guard found.count > first + size else { return page }
        return page.header("Link", "<?pageSize=\(size)&from=\(first + size)>; rel=\"next\"")
    }

    private func answer(one request: StubRequest) throws -> StubResponse {
        let isbn = request.parameters["isbn"] ?? ""
        guard var book = books[isbn] else { return .refusal(404, "no such book") }
        switch request.method {
        case .patch:
            book.copies = try request.json(as: [String: Int].self)["copies"] ?? 0
            books[isbn] = book
        case .delete:
            books[isbn] = nil
            return .status(204)
        default: break
        }
        return .json(book)
    }

    private func setCover(_ request: StubRequest) {
        covers[request.parameters["isbn"] ?? ""] = request.body
    }
}

extension StubResponse {
    fileprivate static func refusal(_ status: Int, _ reason: String) -> Self {
        .json(Refusal(reason: reason), status: status)
    }
}
