public import FoundationNetworking

/// Adds an access token to targets that are ``AccessTokenAuthorizable``, in each attempt.
///
/// It replaces an `Authorization` field that is there.
public struct AccessTokenPlugin: PluginType {
    /// Returns the token for a target; what it throws fails the call.
    public typealias TokenClosure = @Sendable (_ target: any TargetType) async throws -> String

    private let token: TokenClosure

    /// Makes a plugin.
    ///
    /// - Parameter tokenClosure: Returns the token; it may wait, for a refresh for example.
    public init(tokenClosure: @escaping TokenClosure) {
        token = tokenClosure
    }

    /// Adds the token, if the target wants one.
    public func prepare(
        _ request: URLRequest, target: any TargetType
    ) async throws -> URLRequest {
        let target = (target as? MultiTarget)?.target ?? target
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else {
            return request
        }
        var request = request
        request.setValue(
            "\(type.value) \(try await token(target))", forHTTPHeaderField: "Authorization")
        return request
    }
}
