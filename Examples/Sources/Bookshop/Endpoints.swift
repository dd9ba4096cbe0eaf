import Bluebonnet

struct Book: Codable, Sendable, Equatable {
    var isbn: String
    var title: String
    var copies: Int
}

struct AccessToken: AuthenticationCredential, Codable, Sendable {
    var value: String
    var refreshToken: String
    var requiresRefresh: Bool { false }
    var field: String { "Bearer \(value)" }
}

/// The body of a refused request.
struct Refusal: Codable, Sendable {
    var reason: String
}

struct LogIn: APIRequest {
    typealias Response = AccessToken
    struct Body: Encodable, Sendable { var user, password: String }

    var body: Body
    var method: HTTPMethod { .post }
    var path: String { "/session" }
}

struct RefreshToken: APIRequest {
    typealias Response = AccessToken

    var body: [String: String]
    var method: HTTPMethod { .post }
    var path: String { "/session/refresh" }
}

/// Lists books, page by page.
struct ListBooks: APIRequest {
    typealias Response = [Book]

    var query = ["pageSize": 50]
    var path: String { "/books" }
}

struct SetCopies: APIRequest {
    typealias Response = Book

    var isbn: String
    var body: [String: Int]
    var method: HTTPMethod { .put }
    var path: String { "/books/{isbn}/copies" }
    var pathParameters: PathParameters { ["isbn": isbn] }
}
