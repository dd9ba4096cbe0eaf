extension Snippet {
    /// What articles take for granted; a snippet that needs more declares it.
    static let prelude = """
        import Bluebonnet

        struct User: Codable, Sendable {
            var name: String
        }

        var api: HTTPSessionManager { HTTPSessionManager() }
        var manager: HTTPSessionManager { api }
        var configuration: SessionConfiguration {
            get { .default }
            set {}
        }
        var url: URL { URL(filePath: "/") }
        var file: URL { url }
        var directory: URL { url }
        var request: URLRequest { URLRequest(url: url) }

        """
}
