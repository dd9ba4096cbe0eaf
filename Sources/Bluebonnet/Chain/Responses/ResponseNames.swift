// Alamofire's names of what a handler gets.

/// Alamofire's name of ``BluebonnetError``.
public typealias AFError = BluebonnetError

/// Alamofire's name of a result.
public typealias AFResult<Success> = Result<Success, BluebonnetError>

/// Alamofire's name of ``Response``; the failure is always a ``BluebonnetError``.
public typealias DataResponse<Success: Sendable, Failure: Error> = Response<Success>

/// Alamofire's name of ``Response``; the failure is always a ``BluebonnetError``.
public typealias DownloadResponse<Success: Sendable, Failure: Error> = Response<Success>

/// Alamofire's name of ``Response``.
public typealias AFDataResponse<Success: Sendable> = Response<Success>

/// Alamofire's name of ``Response``.
public typealias AFDownloadResponse<Success: Sendable> = Response<Success>
