import Bluebonnet
import BluebonnetTesting
import Testing

@testable import Bookshop

@Suite("The bookshop's client", .timeLimit(.minutes(1)))
struct BookshopTests {
    private static let books = (1...5).map {
        Book(isbn: "\($0)/\($0)", title: "Book \($0)", copies: $0)
    }

    private let server = BookshopServer(BookshopTests.books)
    private let stub = StubTransport()
    private let clock = ManualClock()
    private let session: Session

    init() {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        session = Session(configuration: configuration, transport: stub)
    }

    private func logIn(password: String = "secret") async throws -> Bookshop {
        server.open(on: stub)
        let url = try #require(URL(string: "http://shop.test/v1"))
        return try await Bookshop.logIn(at: url, session: session, user: "ada", password: password)
    }

    @Test("books are listed from all pages")
    func list() async throws {
        #expect(try await logIn().books() == Self.books)
        #expect(stub.requests(to: "/v1/books").count == 3)
    }

    @Test("copies are set, also of a book with a slash in its number")
    func setCopies() async throws {
        let shop = try await logIn()
        #expect(try await shop.setCopies(of: "1/1", to: 9).copies == 9)
        #expect(try await shop.books()[0].copies == 9)
    }

    @Test("an unknown book is refused in the shop's words")
    func unknownBook() async throws {
        let shop = try await logIn()
        let error = await #expect(throws: BluebonnetError.self) {
            try await shop.setCopies(of: "6", to: 1)
        }
        #expect(error?.decoded(as: Refusal.self)?.reason == "no such book")
    }

    @Test("an expired token is refreshed once for all requests")
    func refresh() async throws {
        let shop = try await logIn()
        await server.expireTokens()
        async let first = shop.books()
        async let second = shop.setCopies(of: "2/2", to: 7)
        #expect(try await first.count == 5)
        #expect(try await second.copies == 7)
        #expect(stub.requests(to: "/v1/session/refresh").count == 1)
    }

    @Test("a busy shop is asked again")
    func retry() async throws {
        let busy = stub.on(.put, "/v1/books/1/copies", .status(503), .json(Self.books[0]))
        let shop = try await logIn()
        let book = try await clock.run { try await shop.setCopies(of: "1", to: 1) }
        #expect(book == Self.books[0])
        #expect(busy.requests.count == 2)
    }

    @Test("a wrong password is refused in the shop's words")
    func refusal() async throws {
        let error = await #expect(throws: BluebonnetError.self) {
            try await logIn(password: "guess")
        }
        #expect(error?.decoded(as: Refusal.self)?.reason == "wrong password")
    }

    @Test("the log has a line for each event, without secrets")
    func log() async throws {
        let lines = Locked<[String]>([])
        session.addMonitor(EventLog { line in lines.withLock { $0.append(line) } })
        let shop = try await logIn()
        _ = try await shop.setCopies(of: "1/1", to: 9)
        await session.shutdown()
        let log = lines.withLock { $0 }
        #expect(log.count == 6)
        #expect(log.last?.hasSuffix("completed") == true)
        #expect(!log.contains { $0.contains("secret") || $0.contains("token1") })
    }

    @Test("commands return the books of a real server")
    func commands() async throws {
        let http = try TestServer()
        server.open(on: http)
        let shop = try await Bookshop.logIn(at: http.url("/v1"), user: "ada", password: "secret")
        await server.expireTokens()
        let list = try #require(BookshopCommand(["list"]))
        #expect(try await list.run(in: shop) == Self.books)
        let set = try #require(BookshopCommand(["set", "4/4", "0"]))
        #expect(try await set.run(in: shop).map(\.copies) == [0])
        #expect(http.requests(to: "/v1/session/refresh").count == 1)
    }

    @Test(
        "arguments that are no command are refused",
        arguments: [[], ["list", "a"], ["set", "1"], ["set", "1", "-1"]])
    func refused(arguments: [String]) {
        #expect(BookshopCommand(arguments) == nil)
    }
}
