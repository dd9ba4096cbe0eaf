public import Bluebonnet
import Foundation

// The ten endpoints of the shop, each a struct with the type of its response.

/// Gets the token of a user.
public struct LogIn: APIRequest {
    public typealias Response = AccessToken
    public struct Body: Codable, Sendable { var user, password: String }

    public var body: Body
    public var method: HTTPMethod { .post }
    public var path: String { "/session" }

    public init(user: String, password: String) {
        body = Body(user: user, password: password)
    }
}

/// Gets a new token in the place of an old one.
public struct RefreshToken: APIRequest {
    public typealias Response = AccessToken

    public var body: [String: String]
    public var method: HTTPMethod { .post }
    public var path: String { "/session/refresh" }

    public init(of token: AccessToken) { body = ["refreshToken": token.refreshToken] }
}

/// Lists books, page by page.
public struct ListBooks: APIRequest {
    public typealias Response = [Book]
    public struct Query: Encodable, Sendable {
        var title: String?
        var pageSize: Int
    }

    public var query: Query
    public var path: String { "/books" }

    public init(title: String? = nil, pageSize: Int = 50) {
        query = Query(title: title, pageSize: pageSize)
    }
}

/// Gets a book.
public struct GetBook: APIRequest {
    public typealias Response = Book

    public var isbn: String
    public var path: String { "/books/{isbn}" }
    public var pathParameters: PathParameters { ["isbn": isbn] }

    public init(isbn: String) { self.isbn = isbn }
}

/// Adds a book.
public struct AddBook: APIRequest {
    public typealias Response = Book

    public var body: Book
    public var method: HTTPMethod { .post }
    public var path: String { "/books" }

    public init(_ book: Book) { body = book }
}

/// Changes the number of copies of a book.
public struct SetCopies: APIRequest {
    public typealias Response = Book

    public var isbn: String
    public var body: [String: Int]
    public var method: HTTPMethod { .patch }
    public var path: String { "/books/{isbn}" }
    public var pathParameters: PathParameters { ["isbn": isbn] }

    public init(of isbn: String, to copies: Int) {
        (self.isbn, body) = (isbn, ["copies": copies])
    }
}

/// Removes a book; the response has no body.
public struct RemoveBook: APIRequest {
    public var isbn: String
    public var method: HTTPMethod { .delete }
    public var path: String { "/books/{isbn}" }
    public var pathParameters: PathParameters { ["isbn": isbn] }

    public init(isbn: String) { self.isbn = isbn }
}

/// Sends the picture of a cover.
public struct SetCover: APIUpload {
    public var isbn: String
    public var picture: URL
    public var method: HTTPMethod { .put }
    public var path: String { "/books/{isbn}/cover" }
    public var pathParameters: PathParameters { ["isbn": isbn] }
    public var headers: HTTPHeaders { ["Content-Type": "image/png"] }
    public var content: APIUploadContent { .file(picture) }

    public init(isbn: String, picture: URL) {
        (self.isbn, self.picture) = (isbn, picture)
    }
}

/// Downloads the text of a book.
public struct GetText: APIDownload {
    public var isbn: String
    public var file: URL
    public var path: String { "/books/{isbn}/text" }
    public var pathParameters: PathParameters { ["isbn": isbn] }
    public var destination: DownloadRequest.Destination {
        { [file] _, _ in (file, [.removePreviousFile]) }
    }

    public init(isbn: String, to file: URL) { (self.isbn, self.file) = (isbn, file) }
}

/// Tells of changes of the stock, one a line.
public struct WatchStock: APIStream {
    public typealias Element = StockChange
    public var path: String { "/stock/changes" }

    public init() {}
}
