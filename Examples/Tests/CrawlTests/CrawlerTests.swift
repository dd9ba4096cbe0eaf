import Bluebonnet
import BluebonnetTesting
import Testing

@testable import Crawl

@Suite("The crawler", .timeLimit(.minutes(1)))
struct CrawlerTests {
    private let stub = StubTransport()
    private let clock = ManualClock()

    private func crawler(_ transport: (any Transport)?, allowsPrivate: Bool = true) -> Crawler {
        var configuration = Crawler.configuration(allowsPrivateAddresses: allowsPrivate)
        configuration.clock = clock
        return Crawler(api: HTTPSessionManager(configuration: configuration, transport: transport))
    }

    /// Crawls from `/`, and returns the pages by their paths.
    private func crawl(
        _ change: (inout Crawler) -> Void = { _ in }
    ) async throws -> [String: Page] {
        var crawler = crawler(stub)
        change(&crawler)
        let start = try #require(URL(string: "http://site.test/"))
        let pages = Locked<[String: Page]>([:])
        try await clock.run { [crawler] in
            try await crawler.crawl(from: start) { page in
                pages.withLock { $0[page.url.path] = page }
            }
        }
        return pages.withLock { $0 }
    }

    @Test("every page of the host is fetched once")
    func links() async throws {
        stub.serve(["/": ["/a", "b#x", "http://other.test/"], "/a": ["/", "/b"], "/b": ["/a"]])
        let pages = try await crawl()
        #expect(pages.keys.sorted() == ["/", "/a", "/b"])
        #expect(pages["/b"]?.title == "Page /b")
        #expect(stub.requests.count == 4)  // With robots.txt.
        #expect(stub.requests.allSatisfy { $0.headers["User-Agent"] == "BluebonnetCrawl/1.0" })
    }

    @Test("no more pages are fetched than allowed")
    func maximumPages() async throws {
        stub.serve(["/": ["/1", "/2", "/3"], "/1": [], "/2": [], "/3": []])
        let pages = try await crawl { $0.maximumPages = 3 }
        #expect(pages.keys.sorted() == ["/", "/1", "/2"])
    }

    @Test("no more requests are sent at a time than allowed")
    func concurrency() async throws {
        let running = Locked((now: 0, most: 0))
        stub.on(.get, "/page/*") { [clock] _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            try await clock.sleep(for: .seconds(1))
            running.withLock { $0.now -= 1 }
            return .status(204)
        }
        stub.serve(["/": (1...10).map { "/page/\($0)" }])
        let pages = try await crawl { $0.maximumConcurrentRequests = 4 }
        #expect(pages.count == 11)
        #expect(running.withLock { $0.most } == 4)
        #expect(clock.now == .seconds(3))
    }

    @Test("pages that robots.txt disallows are not fetched")
    func robots() async throws {
        stub.serve(
            ["/": ["/private/a", "/b"], "/b": []],
            robots: .text("User-agent: *\nDisallow: /private/"))
        #expect(try await crawl().keys.sorted() == ["/", "/b"])
    }

    @Test("a server that does not tell its rules is not crawled")
    func unknownRobots() async throws {
        stub.serve(["/": []], robots: .status(500))
        await #expect(throws: BluebonnetError.self) { try await self.crawl() }
        #expect(stub.requests(to: "/").isEmpty)
    }

    @Test("a redirect is followed like a link")
    func redirects() async throws {
        stub.on(.get, "/a", .redirect(to: "/b"))
        stub.on(.get, "/c", .redirect(to: "http://other.test/"))
        stub.serve(["/": ["/a", "/c"], "/b": []])
        let pages = try await crawl()
        #expect(pages.keys.sorted() == ["/", "/a", "/b", "/c"])
        #expect(pages["/a"]?.status == 302)
    }

    @Test("cookies are sent back")
    func cookies() async throws {
        let start = StubResponse.text(#"<a href="/a">"#, type: "text/html")
        stub.on(.get, "/", start.header("Set-Cookie", "id=7"))
        stub.serve(["/a": []])
        _ = try await crawl()
        #expect(stub.requests(to: "/a").map { $0.headers["Cookie"] } == ["id=7"])
    }

    @Test("a page that is too large or too slow does not stop the others")
    func limits() async throws {
        stub.on(.get, "/large", .data(Data(count: 2_000_000)))
        stub.on(.get, "/slow", .silence)
        stub.serve(["/": ["/large", "/slow", "/a"], "/a": []])
        let pages = try await crawl()
        #expect(pages["/large"]?.error?.limit == .bodySize)
        #expect(pages["/slow"]?.error?.timeout == .whole)
        #expect(pages["/a"]?.status == 200)
        #expect(clock.now == .seconds(10))
    }

    @Test("a real server is crawled only if private addresses are allowed")
    func server() async throws {
        let server = try TestServer()
        server.serve(["/": ["/a"], "/a": []])
        let error = await #expect(throws: BluebonnetError.self) {
            try await crawler(nil, allowsPrivate: false).crawl(from: server.url) { _ in }
        }
        #expect(error?.addressDenial?.rule == .loopback)
        #expect(server.requests.isEmpty)
        try await crawler(nil).crawl(from: server.url) { _ in }
        #expect(server.requests.map(\.path) == ["/robots.txt", "/", "/a"])
    }
}

extension StubRouting {
    /// Serves pages with links, by their paths.
    fileprivate func serve(_ pages: [String: [String]], robots: StubResponse = .status(404)) {
        on(.get, "/robots.txt", robots)
        for (path, links) in pages {
            let anchors = links.map { "<a href=\"\($0)\">link</a>" }.joined(separator: "\n")
            on(.get, path, .text("<title>Page \(path)</title>\(anchors)", type: "text/html"))
        }
    }
}
