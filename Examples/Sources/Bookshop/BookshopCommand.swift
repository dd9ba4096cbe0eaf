import Bluebonnet

@main
enum BookshopCommand: Equatable {
    case list
    case setCopies(isbn: String, copies: Int)

    static let usage = """
        usage: bookshop list
               bookshop set ISBN COPIES

        BOOKSHOP_URL, BOOKSHOP_USER and BOOKSHOP_PASSWORD are environment variables.
        """

    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        guard let command = BookshopCommand(CommandLine.arguments.dropFirst()),
            let url = environment["BOOKSHOP_URL"].flatMap({ URL(string: $0) }),
            let user = environment["BOOKSHOP_USER"],
            let password = environment["BOOKSHOP_PASSWORD"]
        else {
            say(usage)
            exit(2)
        }
        let session = Session()
        session.addMonitor(EventLog(write: say))
        do {
            let shop = try await Bookshop.logIn(
                at: url, session: session, user: user, password: password)
            let books = try await command.run(in: shop)
            await session.shutdown()  // Waits for the log.
            for book in books { print(book.isbn, book.copies, book.title, separator: "\t") }
        } catch {
            await session.shutdown()
            let refusal = (error as? BluebonnetError)?.decoded(as: Refusal.self)
            say("bookshop: \(refusal?.reason ?? "\(error)")")
            exit(1)
        }
    }

    /// Returns nil unless the arguments are a command.
    init?(_ arguments: some Collection<String>) {
        let arguments = Array(arguments)
        switch (arguments.first, arguments.count) {
        case ("list", 1): self = .list
        case ("set", 3):
            guard let copies = Int(arguments[2]), copies >= 0 else { return nil }
            self = .setCopies(isbn: arguments[1], copies: copies)
        default: return nil
        }
    }

    /// Returns the books to print.
    func run(in shop: Bookshop) async throws -> [Book] {
        switch self {
        case .list: try await shop.books()
        case .setCopies(let isbn, let copies): [try await shop.setCopies(of: isbn, to: copies)]
        }
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
