public import Bluebonnet

// Alamofire's names for the arguments of handlers.

/// Alamofire's name for ``/Bluebonnet/BluebonnetError``.
public typealias AFError = BluebonnetError

/// Alamofire's name for a result.
public typealias AFResult<Success> = Result<Success, BluebonnetError>

/// Alamofire's name for ``/Bluebonnet/Response``; the failure is always a
/// ``/Bluebonnet/BluebonnetError``.
public typealias DataResponse<Success: Sendable, Failure: Error> = Response<Success>

/// Alamofire's name for ``AFDownloadResponse``; the failure is always a
/// ``/Bluebonnet/BluebonnetError``.
public typealias DownloadResponse<Success: Sendable, Failure: Error> = AFDownloadResponse<Success>

/// Alamofire's name for ``/Bluebonnet/Response``.
public typealias AFDataResponse<Success: Sendable> = Response<Success>

// For programs that conform responses to a protocol with these associated types.
extension Response {
    /// Alamofire's name for the type of the value.
    public typealias Success = Value
    /// Alamofire's name for the type of the error.
    public typealias Failure = BluebonnetError
}
