public import BluebonnetChain

/// A wrapper for any target, so that one provider can send targets of several types.
public enum MultiTarget: TargetType {
    /// The wrapped target.
    case target(any TargetType)

    /// Creates a wrapper for a target.
    public init(_ target: any TargetType) {
        self = .target(target)
    }

    /// The wrapped target.
    public var target: any TargetType {
        switch self {
        case .target(let target): target
        }
    }

    /// The base URL of the wrapped target.
    public var baseURL: URL { target.baseURL }
    /// The path of the wrapped target.
    public var path: String { target.path }
    /// The method of the wrapped target.
    public var method: HTTPMethod { target.method }
    /// The sample data of the wrapped target.
    public var sampleData: Data { target.sampleData }
    /// The task of the wrapped target.
    public var task: TargetTask { target.task }
    /// The validation of the wrapped target.
    public var validationType: ValidationType { target.validationType }
    /// The header fields of the wrapped target.
    public var headers: [String: String]? { target.headers }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// The authorization type of the wrapped target; nil if it requires no token.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}
