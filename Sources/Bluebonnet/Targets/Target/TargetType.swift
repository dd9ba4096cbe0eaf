public import Foundation

/// What a provider sends: a case of an enum of endpoints as a rule.
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
/// Its members are asked on the thread that calls the provider, once a call.
public protocol TargetType: Sendable {
    /// The type of ``method``, so that a target can write `Method` for it.
    typealias Method = HTTPMethod

    /// What the path is below; its query stays behind the path.
    var baseURL: URL { get }

    /// The path below ``baseURL``, with or without a leading slash; empty for the base itself.
    ///
    /// A space and whatever else a path cannot hold is escaped, a valid escape such as `%2F` stays, and a `?` begins a
    /// query. A `#` or a segment `..` fails the call: they would lead somewhere else than the text says.
    var path: String { get }

    /// The method.
    var method: HTTPMethod { get }

    /// The response of a stub; default empty.
    ///
    /// Prefer the stubs of `BluebonnetTesting`, which keep test data out of the program.
    var sampleData: Data { get }

    /// What is sent with the request, and what becomes of the response.
    var task: TargetTask { get }

    /// Which statuses are a success; default ``ValidationType/none``: all.
    var validationType: ValidationType { get }

    /// Header fields; default nil.
    var headers: [String: String]? { get }
}

extension TargetType {
    /// Empty.
    public var sampleData: Data { Data() }
    /// Accepts every status.
    public var validationType: ValidationType { .none }
    /// None.
    public var headers: [String: String]? { nil }
}

/// Which statuses of a target's response are a success.
public enum ValidationType: Sendable, Hashable {
    /// All.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// Those of a list; all if that is empty.
    case customCodes([Int])

    /// The statuses that are accepted; empty for all.
    public var statusCodes: [Int] {
        switch self {
        case .none: []
        case .successCodes: Array(200..<300)
        case .successAndRedirectCodes: Array(200..<400)
        case .customCodes(let codes): codes
        }
    }
}
