/// What the shop knows of a book.
struct Book: Codable, Sendable, Hashable {
    var isbn: String
    var title: String
    var copies: Int

    init(isbn: String, title: String, copies: Int) {
        (self.isbn, self.title, self.copies) = (isbn, title, copies)
    }
}

/// That the number of copies of a book has changed.
struct StockChange: Codable, Sendable, Hashable {
    var isbn: String
    var copies: Int

    init(isbn: String, copies: Int) {
        (self.isbn, self.copies) = (isbn, copies)
    }
}

/// How the shop explains a refusal.
struct Refusal: Codable, Sendable, Hashable {
    var reason: String

    init(reason: String) { self.reason = reason }
}
