import Bluebonnet
import Foundation

// The ten endpoints of the shop, each a struct with the type of its response.

/// Gets the token of a user.
struct LogIn: APIRequest {
    typealias Response = AccessToken
    struct Body: Codable, Sendable { var user, password: String }

    var body: Body
    var method: HTTPMethod { .post }
    var path: String { "/session" }

    init(user: String, password: String) {
        body = Body(user: user, password: password)
    }
}

/// Gets a new token in the place of an old one.
struct RefreshToken: APIRequest {
    typealias Response = AccessToken

    var body: [String: String]
    var method: HTTPMethod { .post }
    var path: String { "/session/refresh" }

    init(of token: AccessToken) { body = ["refreshToken": token.refreshToken] }
}

/// Lists books, page by page.
struct ListBooks: APIRequest {
    typealias Response = [Book]
    struct Query: Encodable, Sendable {
        var title: String?
        var pageSize: Int
    }

    var query: Query
    var path: String { "/books" }

    init(title: String? = nil, pageSize: Int = 50) {
        query = Query(title: title, pageSize: pageSize)
    }
}

/// Gets a book.
struct GetBook: APIRequest {
    typealias Response = Book

    var isbn: String
    var path: String { "/books/{isbn}" }
    var pathParameters: PathParameters { ["isbn": isbn] }

    init(isbn: String) { self.isbn = isbn }
}

/// Adds a book.
struct AddBook: APIRequest {
    typealias Response = Book

    var body: Book
    var method: HTTPMethod { .post }
    var path: String { "/books" }

    init(_ book: Book) { body = book }
}

/// Changes the number of copies of a book.
struct SetCopies: APIRequest {
    typealias Response = Book

    var isbn: String
    var body: [String: Int]
    var method: HTTPMethod { .patch }
    var path: String { "/books/{isbn}" }
    var pathParameters: PathParameters { ["isbn": isbn] }

    init(of isbn: String, to copies: Int) {
        (self.isbn, body) = (isbn, ["copies": copies])
    }
}

/// Removes a book; the response has no body.
struct RemoveBook: APIRequest {
    var isbn: String
    var method: HTTPMethod { .delete }
    var path: String { "/books/{isbn}" }
    var pathParameters: PathParameters { ["isbn": isbn] }

    init(isbn: String) { self.isbn = isbn }
}

/// Sends the picture of a cover.
struct SetCover: APIUpload {
    var isbn: String
    var picture: URL
    var method: HTTPMethod { .put }
    var path: String { "/books/{isbn}/cover" }
    var pathParameters: PathParameters { ["isbn": isbn] }
    var headers: HTTPHeaders { ["Content-Type": "image/png"] }
    var content: APIUploadContent { .file(picture) }

    init(isbn: String, picture: URL) {
        (self.isbn, self.picture) = (isbn, picture)
    }
}

/// Downloads the text of a book.
struct GetText: APIDownload {
    var isbn: String
    var file: URL
    var path: String { "/books/{isbn}/text" }
    var pathParameters: PathParameters { ["isbn": isbn] }
    var destination: DownloadRequest.Destination {
        { [file] _, _ in (file, [.removePreviousFile]) }
    }

    init(isbn: String, to file: URL) { (self.isbn, self.file) = (isbn, file) }
}

/// Tells of changes of the stock, one a line.
struct WatchStock: APIStream {
    typealias Element = StockChange
    var path: String { "/stock/changes" }

    init() {}
}
