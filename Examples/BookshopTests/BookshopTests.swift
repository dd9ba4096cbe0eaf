import Bluebonnet
@testable import BluebonnetExampleBookshop
import BluebonnetTesting
import Foundation
import Testing

@Suite("The example client of a bookshop", .timeLimit(.minutes(1)))
struct BookshopTests {
    private static let books = (1...5).map {
        Book(isbn: "\($0)", title: $0 < 4 ? "Swift \($0)" : "Moss \($0)", copies: $0)
    }

    private let server = BookshopServer(BookshopTests.books)
    private let stub = StubTransport()
    private let clock = ManualClock()

    /// A session whose requests the stub answers, and whose delays take no time.
    private var session: Session {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        return Session(configuration: configuration, transport: stub)
    }

    private func shop(plugins: [any PluginType] = []) async throws -> Bookshop {
        server.open(on: stub)
        let url = try #require(URL(string: "http://shop.test/v1"))
        return try await Bookshop.logIn(
            at: url, session: session, user: "ada", password: "secret", plugins: plugins)
    }

    private func temporaryFile(_ name: String) -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("bookshop-\(UUID())-\(name)")
    }

    // MARK: Structs

    @Test("books are listed page by page")
    func list() async throws {
        let client = try await shop().client
        var pages: [[String]] = []
        for try await page in client.pages(ListBooks(pageSize: 2)) {
            pages.append(page.map(\.isbn))
        }
        #expect(pages == [["1", "2"], ["3", "4"], ["5"]])
        #expect(try await client.send(ListBooks(title: "Moss")).count == 2)
    }

    @Test("a book is added, read, changed and removed")
    func life() async throws {
        let shop = try await shop()
        let book = Book(isbn: "a/b", title: "Slashes", copies: 1)
        #expect(try await shop.client.send(AddBook(book)) == book)
        #expect(try await shop.book("a/b") == book)
        #expect(try await shop.client.send(SetCopies(of: "a/b", to: 9)).copies == 9)
        _ = try await shop.client.send(RemoveBook(isbn: "a/b"))
        #expect(try await shop.book("a/b") == nil)
    }

    @Test("a cover is sent, a text is downloaded, and the stock is watched")
    func files() async throws {
        let client = try await shop().client
        let (picture, text) = (temporaryFile("cover"), temporaryFile("text"))
        defer { for file in [picture, text] { try? FileManager.default.removeItem(at: file) } }
        try Data("png".utf8).write(to: picture)
        _ = try await client.send(SetCover(isbn: "1", picture: picture))
        #expect(await server.covers["1"] == Data("png".utf8))
        let file = try await client.send(GetText(isbn: "1", to: text))
        #expect(try String(contentsOf: file, encoding: .utf8) == "Once upon a time")
        var changes: [Int] = []
        for try await change in client.stream(WatchStock()) { changes.append(change.copies) }
        #expect(changes == [2, 1])
    }

    @Test("a token that has expired is refreshed once, however many calls need it")
    func refresh() async throws {
        let client = try await shop().client
        await server.expireTokens()
        async let first = client.send(GetBook(isbn: "1"))
        async let second = client.send(GetBook(isbn: "2"))
        async let third = client.send(ListBooks())
        #expect(try await [first.isbn, second.isbn] == ["1", "2"])
        #expect(try await third.count == 5)
        #expect(stub.requests(to: "/v1/session/refresh").count == 1)
    }

    @Test("a server that is busy is asked again, after delays that take no time")
    func retry() async throws {
        let busy = stub.on(.get, "/v1/books/1", .status(503), .status(503), .json(Self.books[0]))
        let client = try await shop().client
        let book = try await clock.run { try await client.send(GetBook(isbn: "1")) }
        #expect(book.isbn == "1" && busy.requests.count == 3)
    }

    @Test("a refusal has the shop's own words")
    func refusal() async throws {
        server.open(on: stub)
        let url = try #require(URL(string: "http://shop.test/v1"))
        do {
            _ = try await Bookshop.logIn(at: url, session: session, user: "ada", password: "x")
            Issue.record("no error")
        } catch {
            #expect(Bookshop.reason(of: error) == "wrong password")
        }
    }

    @Test("all of it works with a real server as well")
    func realServer() async throws {
        let http = try TestServer()
        defer { http.stop() }
        server.open(on: http)
        let shop = try await Bookshop.logIn(
            at: http.url("/v1"), user: "ada", password: "secret",
            plugins: [NetworkLoggerPlugin(configuration: .init(output: { _, _ in }))])
        var count = 0
        for try await page in shop.client.pages(ListBooks(pageSize: 2)) { count += page.count }
        #expect(count == 5)
        await server.expireTokens()
        #expect(try await shop.book("2")?.title == "Swift 2")
        #expect(try await shop.book("none") == nil)
        #expect(http.requests(to: "/v1/session/refresh").count == 1)
    }

    // MARK: The enum

    @Test("the same endpoints as an enum, with a plugin for the token")
    func targets() async throws {
        server.open(on: stub)
        let login = TargetProvider<BookshopTarget>.stubbed(by: stub)
        let token = try await login.request(.logIn(user: "ada", password: "secret"))
            .map(AccessToken.self)
        let provider = TargetProvider<BookshopTarget>.stubbed(
            by: stub, plugins: [AccessTokenPlugin { _ in token.value }])
        let listed = try await provider.request(.listBooks(title: "Swift", pageSize: 2))
        #expect(try listed.map([Book].self).map(\.isbn) == ["1", "2"])
        let book = Book(isbn: "6", title: "New", copies: 1)
        #expect(
            try await provider.request(.addBook(book)).filter(statusCode: 201).map(Book.self)
                == book)
        #expect(
            try await provider.request(.setCopies(isbn: "6", copies: 3))
                .map(Int.self, atKeyPath: "copies") == 3)
        #expect(try await provider.request(.getBook(isbn: "6")).map(Book.self).copies == 3)
        #expect(try await provider.request(.removeBook(isbn: "6")).statusCode == 204)
        let changes = try await provider.request(.listStockChanges).mapString()
        #expect(changes.split(separator: "\n").count == 2)
        await #expect(throws: TargetError.self) {
            try await provider.request(.getBook(isbn: "6"))
        }
        _ = try await login.request(.refreshToken(token))
        // The token of the plugin is an old one now.
        await #expect(throws: TargetError.self) {
            try await provider.request(.getBook(isbn: "1"))
        }
    }

    @Test("files of the enum")
    func targetFiles() async throws {
        stub.on(BookshopTarget.getText(isbn: "1", file: URL(filePath: "/")), .text("text"))
        let (picture, text) = (temporaryFile("cover"), temporaryFile("text"))
        defer { for file in [picture, text] { try? FileManager.default.removeItem(at: file) } }
        try Data("png".utf8).write(to: picture)
        let cover = stub.on(BookshopTarget.setCover(isbn: "1", picture: picture), .status(204))
        let provider = TargetProvider<BookshopTarget>.stubbed(by: stub)
        #expect(try await provider.request(.getText(isbn: "1", file: text)).fileURL == text)
        _ = try await provider.request(.setCover(isbn: "1", picture: picture))
        #expect(cover.requests.map(\.text) == ["png"])
        #expect(cover.requests[0].headers["Content-Type"] == "image/png")
        try stub.verify()
    }
}
