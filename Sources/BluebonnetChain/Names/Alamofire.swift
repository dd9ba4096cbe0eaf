public import Bluebonnet

/// The names that programs qualify with Alamofire's module name, such as `Alamofire.Session`.
public enum Alamofire {
    /// Alamofire's name for ``/Bluebonnet/BluebonnetError``.
    public typealias AFError = BluebonnetError
    /// Alamofire's name for ``/Bluebonnet/Response``; the failure is always a
    /// ``/Bluebonnet/BluebonnetError``.
    public typealias DataResponse<Success: Sendable, Failure: Error> = Response<Success>
    /// Alamofire's name for ``AFDownloadResponse``; the failure is always a
    /// ``/Bluebonnet/BluebonnetError``.
    public typealias DownloadResponse<Success: Sendable, Failure: Error> =
        AFDownloadResponse<Success>
    /// Alamofire's name for a header field.
    public typealias HTTPHeader = HTTPHeaders.Field
    /// Alamofire's name for ``/Bluebonnet/EmptyBody``.
    public typealias Empty = EmptyBody

    /// The shared manager, ``Bluebonnet/SessionManager/default``.
    public static var AF: HTTPSessionManager { .default }
}

// The types of the same name.
extension Alamofire {
    /// The library's `Session`.
    public typealias Session = Bluebonnet.Session
    /// The library's `Request`.
    public typealias Request = Bluebonnet.Request
    /// The library's `DataRequest`.
    public typealias DataRequest = BluebonnetChain.DataRequest
    /// The library's `UploadRequest`.
    public typealias UploadRequest = BluebonnetChain.UploadRequest
    /// The library's `DownloadRequest`.
    public typealias DownloadRequest = BluebonnetChain.DownloadRequest
    /// The library's `DataStreamRequest`.
    public typealias DataStreamRequest = BluebonnetChain.DataStreamRequest
    /// The library's `HTTPMethod`.
    public typealias HTTPMethod = Bluebonnet.HTTPMethod
    /// The library's `HTTPHeaders`.
    public typealias HTTPHeaders = Bluebonnet.HTTPHeaders
    /// The library's `Parameters`.
    public typealias Parameters = Bluebonnet.Parameters
    /// The library's `MultipartFormData`.
    public typealias MultipartFormData = Bluebonnet.MultipartFormData
    /// The library's `ParameterEncoding`.
    public typealias ParameterEncoding = BluebonnetChain.ParameterEncoding
    /// The library's `URLEncoding`.
    public typealias URLEncoding = BluebonnetChain.URLEncoding
    /// The library's `JSONEncoding`.
    public typealias JSONEncoding = BluebonnetChain.JSONEncoding
    /// The library's `ParameterEncoder`.
    public typealias ParameterEncoder = BluebonnetChain.ParameterEncoder
    /// The library's `JSONParameterEncoder`.
    public typealias JSONParameterEncoder = BluebonnetChain.JSONParameterEncoder
    /// The library's `URLEncodedFormParameterEncoder`.
    public typealias URLEncodedFormParameterEncoder = BluebonnetChain.URLEncodedFormParameterEncoder
    /// The library's `URLEncodedFormEncoder`.
    public typealias URLEncodedFormEncoder = BluebonnetChain.URLEncodedFormEncoder
    /// The library's `RequestInterceptor`.
    public typealias RequestInterceptor = Bluebonnet.RequestInterceptor
    /// The library's `RequestAdapter`.
    public typealias RequestAdapter = Bluebonnet.RequestAdapter
    /// The library's `RequestRetrier`.
    public typealias RequestRetrier = Bluebonnet.RequestRetrier
    /// The library's `RetryResult`.
    public typealias RetryResult = Bluebonnet.RetryResult
    /// The library's `Interceptor`.
    public typealias Interceptor = Bluebonnet.Interceptor
    /// The library's `Adapter`.
    public typealias Adapter = Bluebonnet.Adapter
    /// The library's `Retrier`.
    public typealias Retrier = Bluebonnet.Retrier
    /// The library's `RetryPolicy`.
    public typealias RetryPolicy = Bluebonnet.RetryPolicy
    /// The library's `Authenticator`.
    public typealias Authenticator = Bluebonnet.Authenticator
    /// The library's `AuthenticationCredential`.
    public typealias AuthenticationCredential = Bluebonnet.AuthenticationCredential
    /// The library's `AuthenticationInterceptor`.
    public typealias AuthenticationInterceptor = Bluebonnet.AuthenticationInterceptor
    /// The library's `RedirectHandler`.
    public typealias RedirectHandler = Bluebonnet.RedirectHandler
    /// The library's `Redirector`.
    public typealias Redirector = Bluebonnet.Redirector
    /// The library's `CachedResponseHandler`.
    public typealias CachedResponseHandler = BluebonnetChain.CachedResponseHandler
    /// The library's `ResponseCacher`.
    public typealias ResponseCacher = BluebonnetChain.ResponseCacher
    /// The library's `EventMonitor`.
    public typealias EventMonitor = BluebonnetChain.EventMonitor
    /// The library's `ClosureEventMonitor`.
    public typealias ClosureEventMonitor = BluebonnetChain.ClosureEventMonitor
    /// The library's `URLConvertible`.
    public typealias URLConvertible = BluebonnetChain.URLConvertible
    /// The library's `URLRequestConvertible`.
    public typealias URLRequestConvertible = BluebonnetChain.URLRequestConvertible
    /// The library's `DataDecoder`.
    public typealias DataDecoder = Bluebonnet.DataDecoder
    /// The library's `DataPreprocessor`.
    public typealias DataPreprocessor = Bluebonnet.DataPreprocessor
    /// The library's `EmptyResponse`.
    public typealias EmptyResponse = Bluebonnet.EmptyResponse
}
