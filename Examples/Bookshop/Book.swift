/// What the shop knows of a book.
public struct Book: Codable, Sendable, Hashable {
    public var isbn: String
    public var title: String
    public var copies: Int

    public init(isbn: String, title: String, copies: Int) {
        (self.isbn, self.title, self.copies) = (isbn, title, copies)
    }
}

/// That the number of copies of a book has changed.
public struct StockChange: Codable, Sendable, Hashable {
    public var isbn: String
    public var copies: Int

    public init(isbn: String, copies: Int) {
        (self.isbn, self.copies) = (isbn, copies)
    }
}

/// How the shop explains a refusal.
public struct Refusal: Codable, Sendable, Hashable {
    public var reason: String

    public init(reason: String) { self.reason = reason }
}
