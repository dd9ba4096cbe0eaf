/// The handlers a test has registered, by exact path or by path prefix.
struct Router: Sendable {
    /// The handler for paths without a route.
    var fallback: FixtureServer.Handler?
    private var exact: [String: FixtureServer.Handler] = [:]
    /// The longest prefix comes first, so that the most specific one wins.
    private var prefixes: [(prefix: String, handler: FixtureServer.Handler)] = []

    mutating func set(_ path: String, _ handler: @escaping FixtureServer.Handler) {
        guard path.hasSuffix("/*") else {
            exact[path] = handler
            return
        }
        let prefix = String(path.dropLast())
        prefixes.removeAll { $0.prefix == prefix }
        prefixes.append((prefix, handler))
        prefixes.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    /// Removes all routes and returns them.
    mutating func removeAll() -> Router {
        defer { self = Router() }
        return self
    }

    func handler(for path: String) -> FixtureServer.Handler? {
        exact[path] ?? prefixes.first { path.hasPrefix($0.prefix) }?.handler ?? fallback
    }
}
