public import BluebonnetChain

/// A request that a provider can send, usually a case of an enum of endpoints.
///
/// ```swift
/// enum GitHub { case zen, profile(String) }
///
/// extension GitHub: TargetType {
///     var baseURL: URL { URL(string: "https://api.github.com")! }
///     var path: String {
///         switch self {
///         case .zen: "/zen"
///         case .profile(let name): "/users/\(name)"
///         }
///     }
///     var method: HTTPMethod { .get }
///     var task: TargetTask { .requestPlain }
/// }
/// ```
///
/// The members are read once per call, on the thread that calls the provider.
public protocol TargetType: Sendable {
    /// The type of ``method``, so that a target can refer to it as `Method`.
    typealias Method = HTTPMethod

    /// The URL that the path is relative to; its query precedes that of the path.
    var baseURL: URL { get }

    /// The path relative to ``baseURL``, with or without a leading slash; empty for the base URL
    /// itself.
    ///
    /// A `?` begins a query. Spaces and other characters that a path cannot contain are escaped,
    /// and valid escapes such as `%2F` are kept. A `#`, or a segment `.` or `..`, fails the call,
    /// because the URL would not be the one that the path spells out.
    var path: String { get }

    /// The HTTP method.
    var method: HTTPMethod { get }

    /// The body of a stub's response; empty by default.
    ///
    /// Prefer the stubs of `BluebonnetTesting`, which keep test data out of the program.
    var sampleData: Data { get }

    /// The content of the request and the destination of the response.
    var task: TargetTask { get }

    /// The status codes that count as success; by default ``ValidationType/none``, which accepts
    /// all.
    var validationType: ValidationType { get }

    /// The header fields; nil by default.
    var headers: [String: String]? { get }
}

extension TargetType {
    /// Empty data.
    public var sampleData: Data { Data() }
    /// Accepts every status.
    public var validationType: ValidationType { .none }
    /// No header fields.
    public var headers: [String: String]? { nil }
}

/// The status codes of a target's response that count as success.
public enum ValidationType: Sendable, Hashable {
    /// All status codes.
    case none
    /// Status codes 200 to 299.
    case successCodes
    /// Status codes 200 to 399.
    case successAndRedirectCodes
    /// The status codes in a list, or all if the list is empty.
    case customCodes([Int])

    /// The accepted status codes; empty for all.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Array(200..<300)
        case .successAndRedirectCodes: Array(200..<400)
        case .customCodes(let codes): codes
        }
    }

    /// The accepted status codes; nil for all.
    var acceptedCodes: Set<Int>? {
        switch self {
        case .none: nil
        case .successCodes: .successStatusCodes
        case .successAndRedirectCodes: Self.statusCodesWithRedirects
        case .customCodes(let codes): codes.isEmpty ? nil : Set(codes)
        }
    }

    private static let statusCodesWithRedirects = Set(200..<400)
}
