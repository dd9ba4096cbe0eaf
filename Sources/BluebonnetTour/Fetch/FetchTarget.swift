import Bluebonnet

/// An argument to fetch, with a name for it that holds no secrets.
struct FetchTarget {
    /// Nil if the argument is not an absolute HTTP URL with a host.
    let url: URL?
    /// The URL without user, password, query and fragment.
    ///
    /// An argument that is not a URL goes by its position. It may be a part of one with a password,
    /// for a shell splits `http://user:pass word@host` in two.
    let name: String

    /// Reads an argument; the first one has position 1.
    init(_ argument: String, position: Int) {
        let url = URL(string: argument)
        guard let url, ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
            self.url = nil
            name = "argument \(position)"
            return
        }
        self.url = url
        name = argument.withoutURLSecrets
    }
}
