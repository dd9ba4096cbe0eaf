public import Foundation

// Names of Alamofire 4 that have another one here: the compiler offers that.

/// Alamofire 4's name of ``SecurityPolicy``.
@available(*, unavailable, renamed: "SecurityPolicy")
public typealias ServerTrustPolicy = SecurityPolicy

/// Alamofire 4's name of a response without a type.
@available(*, unavailable, message: "use Response<Data>")
public typealias DefaultDataResponse = Response<Data>

/// Alamofire 4's name of a response of a download.
@available(*, unavailable, message: "use Response<URL>")
public typealias DefaultDownloadResponse = Response<URL>

/// Alamofire 4's name of ``TaskMetrics``.
@available(*, unavailable, renamed: "TaskMetrics")
public typealias Timeline = TaskMetrics

extension SessionManager {
    /// Alamofire 4's name of ``HTTPHeaders/sessionDefault``.
    @available(*, unavailable, renamed: "HTTPHeaders.sessionDefault")
    public static var defaultHTTPHeaders: HTTPHeaders { .sessionDefault }
}

extension Response {
    /// Alamofire 4's name of ``metrics``.
    @available(*, unavailable, renamed: "metrics")
    public var timeline: TaskMetrics? { metrics }
}

extension Result where Failure == BluebonnetError {
    /// Alamofire 4's name of ``Response/value``.
    @available(*, unavailable, message: "ask the response for its value, or get() the result")
    public var value: Success? { try? get() }

    /// Alamofire 4's name of ``Response/error``.
    @available(*, unavailable, message: "ask the response for its error")
    public var error: Failure? { nil }

    /// Whether Alamofire 4 had a value.
    @available(*, unavailable, message: "ask whether the response's error is nil")
    public var isSuccess: Bool { false }

    /// Whether Alamofire 4 had an error.
    @available(*, unavailable, message: "ask whether the response's error is nil")
    public var isFailure: Bool { false }
}
