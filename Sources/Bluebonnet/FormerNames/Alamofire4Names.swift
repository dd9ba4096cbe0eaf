public import Foundation

// Alamofire 4 names for which the compiler suggests the replacement.

/// Alamofire 4's name for ``SecurityPolicy``.
@available(*, unavailable, renamed: "SecurityPolicy")
public typealias ServerTrustPolicy = SecurityPolicy

/// Alamofire 4's name for a response without a serialized value.
@available(*, unavailable, message: "use Response<Data>")
public typealias DefaultDataResponse = Response<Data>

/// Alamofire 4's name for the response of a download.
@available(*, unavailable, message: "use Response<URL>")
public typealias DefaultDownloadResponse = Response<URL>

/// Alamofire 4's name for ``TaskMetrics``.
@available(*, unavailable, renamed: "TaskMetrics")
public typealias Timeline = TaskMetrics

extension SessionManager {
    /// Alamofire 4's name for ``HTTPHeaders/sessionDefault``.
    @available(*, unavailable, renamed: "HTTPHeaders.sessionDefault")
    public static var defaultHTTPHeaders: HTTPHeaders { .sessionDefault }
}

extension Response {
    /// Alamofire 4's name for ``metrics``.
    @available(*, unavailable, renamed: "metrics")
    public var timeline: TaskMetrics? { metrics }
}

extension Result where Failure == BluebonnetError {
    /// Alamofire 4's property for the value of a successful result.
    @available(*, unavailable, message: "use the response's value, or call get() on the result")
    public var value: Success? { try? get() }

    /// Alamofire 4's property for the error of a failed result.
    @available(*, unavailable, message: "use the response's error")
    public var error: Failure? { nil }

    /// Alamofire 4's property that indicates whether the result is a success.
    @available(*, unavailable, message: "check whether the response's error is nil")
    public var isSuccess: Bool { false }

    /// Alamofire 4's property that indicates whether the result is a failure.
    @available(*, unavailable, message: "check whether the response's error is nil")
    public var isFailure: Bool { false }
}
