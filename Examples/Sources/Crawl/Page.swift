import Bluebonnet

/// The parts of a response that a crawler needs.
struct Page: Sendable {
    let url: URL
    let error: BluebonnetError?
    var status = 0
    var size = 0
    var title = ""
    /// The targets of links, or of a redirect.
    var links: [URL] = []

    /// Searches the text of an HTML page for a title and links, without parsing it.
    init(_ url: URL, _ response: Response<Data>) {
        (self.url, error) = (url, response.error)
        guard let head = response.head, let body = response.value else { return }
        (status, size) = (head.statusCode, body.count)
        var references = head.headers.values(of: "Location")
        let serializer = StringResponseSerializer()  // Knows the charsets.
        if head.mimeType == "text/html", let html = try? serializer.serialize(body, head: head) {
            title = Self.title(in: html)
            references += Self.references(in: html)
        }
        links = references.compactMap { Self.url($0, from: url) }
    }

    /// Returns the title in one line without control characters, which could change a terminal.
    static func title(in html: String) -> String {
        let title = /<title\s*>([^<]*)/.ignoresCase().matchingSemantics(.unicodeScalar)
        guard let text = html.firstMatch(of: title)?.1 else { return "" }
        return text.replacing("&amp;", with: "&")
            .components(separatedBy: .whitespacesAndNewlines.union(.controlCharacters))
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the values of `href` in tags such as `<a href="…">`.
    static func references(in html: String) -> [String] {
        // A tag ends the search in the one before it, so hostile pages take linear time, too.
        let anchor = /<a(?=\s)[^<>]*?\shref\s*=\s*["']?([^"'\s<>]*)/
            .ignoresCase().matchingSemantics(.unicodeScalar)
        return html.matches(of: anchor).map { String($0.1).replacing("&amp;", with: "&") }
    }

    /// Returns a URL without its fragment, or nil if it is not one of the web.
    static func url(_ reference: String, from page: URL? = nil) -> URL? {
        guard let url = URL(string: reference, relativeTo: page),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            ["http", "https"].contains(parts.scheme)
        else { return nil }
        parts.fragment = nil
        if parts.path.isEmpty { parts.path = "/" }
        return parts.url
    }
}
