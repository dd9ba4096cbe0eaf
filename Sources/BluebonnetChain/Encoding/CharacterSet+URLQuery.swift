public import Bluebonnet

extension CharacterSet {
    /// The characters that a query does not escape by default: ASCII letters, digits and `-._~/?`.
    ///
    /// RFC 3986 section 3.4 allows `/` and `?` in a query without escaping.
    public static let afURLQueryAllowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?")
}
