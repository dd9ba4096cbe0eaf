public import BluebonnetChain

/// A plugin that answers the challenges of servers with a credential for the target.
public struct CredentialsPlugin: PluginType {
    /// A closure that returns the credential for a target; nil for none.
    public typealias CredentialClosure = @Sendable (_ target: any TargetType) -> URLCredential?

    private let credential: CredentialClosure

    /// Creates a plugin.
    ///
    /// - Parameter credentialsClosure: Returns the credential. It is called before each attempt.
    public init(credentialsClosure: @escaping CredentialClosure) {
        credential = credentialsClosure
    }

    /// Sets the credential of the request.
    ///
    /// Calls with different credentials never share an exchange.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        if let credential = credential(target) { request.authenticate(with: credential) }
    }
}

extension CredentialsPlugin: CallDistinguisher {
    func distinction(of target: any TargetType) -> [String?]? {
        credential(target).map { [$0.user, $0.password] }
    }
}
