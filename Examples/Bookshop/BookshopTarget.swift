import Bluebonnet
import Foundation

/// The same ten endpoints as an enum, for a `TargetProvider<BookshopTarget>`.
enum BookshopTarget: Sendable {
    case logIn(user: String, password: String)
    case refreshToken(AccessToken)
    case listBooks(title: String?, pageSize: Int)
    case getBook(isbn: String)
    case addBook(Book)
    case setCopies(isbn: String, copies: Int)
    case removeBook(isbn: String)
    case setCover(isbn: String, picture: URL)
    case getText(isbn: String, file: URL)
    case listStockChanges
}

extension BookshopTarget: TargetType {
    var baseURL: URL { URL(string: "https://books.example.com/v1") ?? URL(filePath: "/") }

    var path: String {
        switch self {
        case .logIn: "/session"
        case .refreshToken: "/session/refresh"
        case .listBooks, .addBook: "/books"
        case .getBook(let isbn), .setCopies(let isbn, _), .removeBook(let isbn): Self.path(of: isbn)
        case .setCover(let isbn, _): Self.path(of: isbn) + "/cover"
        case .getText(let isbn, _): Self.path(of: isbn) + "/text"
        case .listStockChanges: "/stock/changes"
        }
    }

    /// A slash or a question mark in a number would lead to another resource, and an empty one to all books.
    private static func path(of isbn: String) -> String {
        let segment = isbn.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "/books/" + (segment.isEmpty ? "none" : segment)
    }

    var method: Method {
        switch self {
        case .listBooks, .getBook, .getText, .listStockChanges: .get
        case .logIn, .refreshToken, .addBook: .post
        case .setCopies: .patch
        case .removeBook: .delete
        case .setCover: .put
        }
    }

    var task: TargetTask {
        switch self {
        case .logIn(let user, let password):
            .requestJSONEncodable(["user": user, "password": password])
        case .refreshToken(let token):
            .requestJSONEncodable(["refreshToken": token.refreshToken])
        case .listBooks(let title, let pageSize):
            .requestQueryEncodable(ListBooks(title: title, pageSize: pageSize).query)
        case .addBook(let book): .requestJSONEncodable(book)
        case .setCopies(_, let copies): .requestJSONEncodable(["copies": copies])
        case .setCover(_, let picture): .uploadFile(picture)
        case .getText(_, let file): .downloadDestination { _, _ in (file, [.removePreviousFile]) }
        case .getBook, .removeBook, .listStockChanges: .requestPlain
        }
    }

    var validationType: ValidationType { .successCodes }

    var headers: [String: String]? {
        if case .setCover = self { ["Content-Type": "image/png"] } else { nil }
    }
}

extension BookshopTarget: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .logIn, .refreshToken: nil
        default: .bearer
        }
    }
}
