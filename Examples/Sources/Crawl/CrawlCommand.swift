import Bluebonnet

@main
struct CrawlCommand {
    var start: URL
    var maximumPages = 20
    var allowsPrivateAddresses = false

    static func main() async {
        guard let command = CrawlCommand(CommandLine.arguments.dropFirst()) else {
            say("usage: crawl URL [--pages N] [--allow-private]")
            exit(2)
        }
        let api = HTTPSessionManager(
            configuration: Crawler.configuration(
                allowsPrivateAddresses: command.allowsPrivateAddresses))
        do {
            try await Crawler(api: api, maximumPages: command.maximumPages)
                .crawl(from: command.start) { page in print(line(for: page)) }
        } catch {
            say("crawl: \(error)")
            exit(1)
        }
    }

    /// Returns nil unless the arguments are one URL and known options.
    init?(_ arguments: some Collection<String>) {
        var urls: [URL] = []
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--allow-private": allowsPrivateAddresses = true
            case "--pages":
                guard let pages = rest.next().flatMap({ Int($0) }), pages > 0 else { return nil }
                maximumPages = pages
            default:
                guard let url = Page.url(argument), urls.isEmpty else { return nil }
                urls.append(url)
            }
        }
        guard let url = urls.first else { return nil }
        start = url
    }

    private static func line(for page: Page) -> String {
        if let error = page.error { return "---  \(page.url)  \(error)" }
        let size = page.size.formatted(.byteCount(style: .file))
        return "\(page.status)  \(page.url)  \(size)  \(page.title)"
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
