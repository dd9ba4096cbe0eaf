// Alamofire's names for the arguments of handlers.

/// Alamofire's name for ``BluebonnetError``.
public typealias AFError = BluebonnetError

/// Alamofire's name for a result.
public typealias AFResult<Success> = Result<Success, BluebonnetError>

/// Alamofire's name for ``Response``; the failure is always a ``BluebonnetError``.
public typealias DataResponse<Success: Sendable, Failure: Error> = Response<Success>

/// Alamofire's name for ``Response``; the failure is always a ``BluebonnetError``.
public typealias DownloadResponse<Success: Sendable, Failure: Error> = Response<Success>

/// Alamofire's name for ``Response``.
public typealias AFDataResponse<Success: Sendable> = Response<Success>

/// Alamofire's name for ``Response``.
public typealias AFDownloadResponse<Success: Sendable> = Response<Success>
