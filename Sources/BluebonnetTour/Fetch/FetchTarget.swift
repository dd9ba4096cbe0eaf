import Bluebonnet

/// A URL to fetch, separated from its login, with a name that can be printed.
struct FetchTarget {
    /// The URL without user and password.
    let url: URL
    /// The user and the password of the URL.
    let login: FetchOptions.Login?
    /// The URL without user, password, query and fragment.
    let name: String

    /// Parses an argument; returns nil unless it is an absolute HTTP URL with a host.
    init?(_ argument: String) {
        guard let url = URL(string: argument), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        let (user, password) = (parts.user ?? "", parts.password ?? "")
        let hasLogin = !user.isEmpty || !password.isEmpty
        login = hasLogin ? FetchOptions.Login(user: user, password: password) : nil
        parts.user = nil
        parts.password = nil
        guard let plain = parts.url else { return nil }
        self.url = plain
        name = argument.withoutURLSecrets
    }
}
