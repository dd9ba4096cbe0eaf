public import Foundation

/// Any target, so that one provider can send targets of several types.
public enum MultiTarget: TargetType {
    /// The target.
    case target(any TargetType)

    /// Wraps a target.
    public init(_ target: any TargetType) {
        self = .target(target)
    }

    /// The target that is wrapped.
    public var target: any TargetType {
        switch self {
        case .target(let target): target
        }
    }

    /// That of the target.
    public var baseURL: URL { target.baseURL }
    /// That of the target.
    public var path: String { target.path }
    /// That of the target.
    public var method: HTTPMethod { target.method }
    /// That of the target.
    public var sampleData: Data { target.sampleData }
    /// That of the target.
    public var task: TargetTask { target.task }
    /// That of the target.
    public var validationType: ValidationType { target.validationType }
    /// That of the target.
    public var headers: [String: String]? { target.headers }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// That of the target; nil if it wants no token.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}
