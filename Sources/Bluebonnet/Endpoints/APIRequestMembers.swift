import Foundation

/// Checks the types of stored properties that have the name of a request's member.
///
/// Every member has a default, so without this check a property of another type would be ignored
/// silently.
enum APIRequestMembers {
    /// The problems of the request types checked so far; nil for a type without one.
    private static let problems = Locked<[ObjectIdentifier: RequestSerializationError?]>([:])

    /// Returns the reason why a property of a request would not be sent; nil if there is none.
    static func problem<R: APIRequest>(in request: R) -> RequestSerializationError? {
        let type = ObjectIdentifier(R.self)
        if let known = problems.withLock({ $0[type] }) { return known }
        let found = Mirror(reflecting: request).children.lazy.compactMap { child in
            child.label.flatMap { problem(with: $0, child.value, of: R.self) }
        }.first
        problems.withLock { $0[type] = .some(found) }
        return found
    }

    /// Returns what replaces a member of requests in version 0.1.
    private static func formerMember(_ name: String) -> String {
        switch name {
        case "task": "conform to APIUpload, and set content"
        case "validationType": "set acceptableStatusCodes"
        default: "add an interceptor to the client or to options"
        }
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
        case "task", "validationType", "authorizationType":
            return RequestSerializationError(
                reason: "\(type).\(name) is not sent: \(formerMember(name))")
        case "acceptableStatusCodes": wanted = (value is Set<Int>?, "Set<Int>?")
        case "options": wanted = (value is RequestOptions, "RequestOptions")
        default: return nil
        }
        guard !wanted.isIt else { return nil }
        return RequestSerializationError(
            reason: """
                \(type).\(name) would not be sent: it is \(Swift.type(of: value)) rather than \(wanted.name)
                """)
    }
}
