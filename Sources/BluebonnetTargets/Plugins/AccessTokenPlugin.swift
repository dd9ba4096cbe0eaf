public import BluebonnetChain

/// A plugin that adds an access token to each attempt of an ``AccessTokenAuthorizable`` target.
///
/// It replaces an existing `Authorization` field.
public struct AccessTokenPlugin: PluginType {
    /// A closure that returns the token for a target; if it throws an error, the call fails with
    /// it.
    public typealias TokenClosure = @Sendable (_ target: any TargetType) async throws -> String

    private let token: TokenClosure

    /// Creates a plugin.
    ///
    /// - Parameter tokenClosure: Returns the token. It can suspend, for example to refresh the
    ///   token.
    public init(tokenClosure: @escaping TokenClosure) {
        token = tokenClosure
    }

    /// Adds the token if the target requires one.
    public func prepare(
        _ request: URLRequest, target: any TargetType
    ) async throws -> URLRequest {
        let target = (target as? MultiTarget)?.target ?? target
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else {
            return request
        }
        var request = request
        request.setField("Authorization", to: "\(type.value) \(try await token(target))")
        return request
    }
}
