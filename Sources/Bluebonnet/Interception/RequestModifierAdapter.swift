public import FoundationNetworking

/// A closure that changes a request before it is sent.
///
/// It is called for each attempt. If it throws, the attempt fails.
public typealias RequestModifier = @Sendable (_ urlRequest: inout URLRequest) throws -> Void

/// An adapter that calls a closure to change the request in place.
///
/// ```swift
/// manager.interceptors.append(.modifier { $0.timeoutInterval = 5 })
/// ```
public struct RequestModifierAdapter: RequestInterceptor {
    private let modifier: RequestModifier

    /// Creates an adapter.
    ///
    /// - Parameter modifier: Changes the request of each attempt. It is called on any thread and
    ///   must not block.
    public init(_ modifier: @escaping RequestModifier) {
        self.modifier = modifier
    }

    /// Returns the request after the closure has changed it.
    ///
    /// - Parameters:
    ///   - urlRequest: The request that the previous adapter returned.
    ///   - session: Not used.
    /// - Returns: The request to send.
    /// - Throws: The closure's error. The attempt then fails with
    ///   ``BluebonnetError/adaptation(_:_:)``.
    public func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        var request = urlRequest
        try modifier(&request)
        return request
    }
}

extension RequestAdapter where Self == RequestModifierAdapter {
    /// Creates an adapter from a closure that changes the request in place.
    ///
    /// - Parameter modifier: Changes the request of each attempt.
    /// - Returns: The adapter.
    public static func modifier(_ modifier: @escaping RequestModifier) -> RequestModifierAdapter {
        RequestModifierAdapter(modifier)
    }
}
