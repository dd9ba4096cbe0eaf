import Bluebonnet

/// Fetches the pages of one host, from a first one along the links.
struct Crawler: Sendable {
    let api: HTTPSessionManager
    var maximumPages = 20
    var maximumConcurrentRequests = 4

    /// Limits for pages that anyone may have written.
    static func configuration(allowsPrivateAddresses: Bool) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.addressGuard = allowsPrivateAddresses ? nil : .publicInternetOnly
        configuration.additionalHeaders["User-Agent"] = "BluebonnetCrawl/1.0"
        configuration.maximumResponseBodySize = 1024 * 1024
        configuration.timeouts.whole = 10
        return configuration
    }

    /// Calls a closure with one page after the other, also with those that failed.
    ///
    /// Cookies of a page are sent with the requests that follow.
    func crawl(
        from start: URL, visit: @Sendable (Page) -> Void
    ) async throws(BluebonnetError) {
        let robots = try await robots(of: start)
        await withTaskGroup(of: Page.self) { group in
            var seen: Set<URL> = []
            var waiting: [URL] = []
            var running = 0
            func add(_ links: [URL]) {
                for link in links where link.host == start.host && link.port == start.port {
                    guard seen.count < maximumPages else { return }
                    if robots.allows(link), seen.insert(link).inserted { waiting.append(link) }
                }
            }
            add([start])
            repeat {
                while running < maximumConcurrentRequests, !waiting.isEmpty {
                    let url = waiting.removeFirst()
                    group.addTask { await page(at: url) }
                    running += 1
                }
                guard let page = await group.next() else { return }
                running -= 1
                visit(page)
                add(page.links)
            } while true
        }
    }

    /// Fetches a page with any status; a redirect is a page with a link.
    private func page(at url: URL) async -> Page {
        let response = await api.response(
            .get, url.absoluteString,
            serializer: HTTPResponseSerializer(acceptableStatusCodes: nil),
            options: [.redirects(.doNotFollow), .interceptor(.server)])
        return Page(url, response)
    }

    /// Returns the rules of a server; without any, everything is allowed.
    ///
    /// A server that fails is not crawled, because its rules are not known.
    private func robots(of start: URL) async throws(BluebonnetError) -> Robots {
        let file = URL(string: "/robots.txt", relativeTo: start)?.absoluteString ?? ""
        do {
            let text = try await api.get(file, options: .interceptor(.server))
            return Robots(String(decoding: text, as: UTF8.self))
        } catch .unacceptableStatus(400..<500, _) {
            return Robots("")
        }
    }
}
