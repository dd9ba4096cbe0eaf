/// The rules for finding the interaction that answers a request.
///
/// The method and the path are always compared. A placeholder on the cassette matches any text, so
/// secrets are not compared.
public struct CassetteMatching: Sendable, Hashable {
    /// Whether scheme, host and port are compared; default true.
    public var comparesOrigin = true
    /// Whether the items of the query are compared; default true.
    ///
    /// Items with different names can be in any order.
    public var comparesQuery = true
    /// The names of the header fields to compare; default none.
    public var headers: [String] = []
    /// Whether the body is compared; default true.
    ///
    /// JSON bodies are compared as values: white space and the order of keys do not matter. Numbers
    /// are equal if they are written identically. A multipart form needs a fixed boundary.
    public var comparesBody = true
    /// Whether requests must come in the recorded order; default true.
    ///
    /// Each interaction answers one request. Without an order, the first unused interaction that
    /// matches answers.
    public var comparesOrder = true

    /// Creates the default rules.
    public init() {}

    /// Compares everything except header fields, in order.
    public static let strict = Self()

    /// Compares method and URL with its query, in any order.
    public static let lenient = {
        var matching = Self()
        (matching.comparesBody, matching.comparesOrder) = (false, false)
        return matching
    }()
}
