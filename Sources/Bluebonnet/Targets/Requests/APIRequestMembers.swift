import Foundation

/// What the stored properties of requests are to be, where they have the names of members.
///
/// One of another type would not be sent, and nothing would say so, since every member has a default.
enum APIRequestMembers {
    /// What is wrong with types of requests, looked at once each; nil for nothing.
    private static let problems = Locked<[ObjectIdentifier: RequestSerializationError?]>([:])

    /// Why a property of a request would not be sent.
    static func problem<R: APIRequest>(in request: R) -> RequestSerializationError? {
        let type = ObjectIdentifier(R.self)
        if let known = problems.withLock({ $0[type] }) { return known }
        let found = Mirror(reflecting: request).children.lazy.compactMap { child in
            child.label.flatMap { problem(with: $0, child.value, of: R.self) }
        }.first
        problems.withLock { $0[type] = .some(found) }
        return found
    }

    private static func problem<R: APIRequest>(
        with name: String, _ value: Any, of type: R.Type
    ) -> RequestSerializationError? {
        let wanted: (isIt: Bool, name: String)
        switch name {
        case "pathParameters": wanted = (value is R.PathParameters, "PathParameters")
        case "method": wanted = (value is HTTPMethod, "HTTPMethod")
        case "headers": wanted = (value is HTTPHeaders, "HTTPHeaders")
        case "query": wanted = (value is R.Query, "Encodable and Sendable")
        case "body": wanted = (value is R.Body, "Encodable and Sendable")
        case "task": wanted = (value is TargetTask, "TargetTask")
        case "validationType": wanted = (value is ValidationType, "ValidationType")
        default: return nil
        }
        guard !wanted.isIt else { return nil }
        return RequestSerializationError(
            reason: """
                \(type).\(name) would not be sent: it is \(Swift.type(of: value)) rather than \(wanted.name)
                """)
    }
}
