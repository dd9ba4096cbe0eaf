public import BluebonnetChain

/// The names that programs qualify with Moya's module name, such as `Moya.Response`.
///
/// ``Task`` exists only here: a type of this name in the module would hide Swift's own `Task`.
public enum Moya {
    /// Moya's name for ``TargetTask``.
    public typealias Task = TargetTask
    /// Moya's name for ``/Bluebonnet/HTTPMethod``.
    public typealias Method = HTTPMethod
    /// Moya's name for ``TargetResponse``.
    public typealias Response = TargetResponse
    /// Moya's name for ``TargetError``.
    public typealias MoyaError = TargetError
    /// Moya's name for ``TargetProvider``.
    public typealias MoyaProvider = TargetProvider
    /// Moya's name for a form, an array of ``MultipartFormBodyPart`` values.
    public typealias MultipartFormData = Bluebonnet.MultipartFormData
    /// Alamofire's form, which is the same type as ``MultipartFormData``.
    public typealias RequestMultipartFormData = Bluebonnet.MultipartFormData
    /// The destination of a download.
    public typealias DownloadDestination = DownloadRequest.Destination
    /// A closure that receives the result of a call.
    public typealias Completion = BluebonnetTargets.Completion
    /// A closure that receives the progress of a call.
    public typealias ProgressBlock = BluebonnetTargets.ProgressBlock
}

// The types of the same name.
extension Moya {
    /// The library's `TargetType`.
    public typealias TargetType = BluebonnetTargets.TargetType
    /// The library's `MultiTarget`.
    public typealias MultiTarget = BluebonnetTargets.MultiTarget
    /// The library's `ValidationType`.
    public typealias ValidationType = BluebonnetTargets.ValidationType
    /// The library's `AccessTokenAuthorizable`.
    public typealias AccessTokenAuthorizable = BluebonnetTargets.AccessTokenAuthorizable
    /// The library's `AuthorizationType`.
    public typealias AuthorizationType = BluebonnetTargets.AuthorizationType
    /// The library's `MultipartFormBodyPart`.
    public typealias MultipartFormBodyPart = BluebonnetTargets.MultipartFormBodyPart
    /// The library's `Endpoint`.
    public typealias Endpoint = BluebonnetTargets.Endpoint
    /// The library's `EndpointSampleResponse`.
    public typealias EndpointSampleResponse = BluebonnetTargets.EndpointSampleResponse
    /// The library's `StubBehavior`.
    public typealias StubBehavior = BluebonnetTargets.StubBehavior
    /// The library's `ProgressResponse`.
    public typealias ProgressResponse = BluebonnetTargets.ProgressResponse
    /// The library's `Cancellable`.
    public typealias Cancellable = BluebonnetTargets.Cancellable
    /// The library's `PluginType`.
    public typealias PluginType = BluebonnetTargets.PluginType
    /// The library's `RequestType`.
    public typealias RequestType = BluebonnetTargets.RequestType
    /// The library's `AccessTokenPlugin`.
    public typealias AccessTokenPlugin = BluebonnetTargets.AccessTokenPlugin
    /// The library's `CredentialsPlugin`.
    public typealias CredentialsPlugin = BluebonnetTargets.CredentialsPlugin
    /// The library's `NetworkActivityPlugin`.
    public typealias NetworkActivityPlugin = BluebonnetTargets.NetworkActivityPlugin
    /// The library's `NetworkActivityChangeType`.
    public typealias NetworkActivityChangeType = BluebonnetTargets.NetworkActivityChangeType
    /// The library's `NetworkLoggerPlugin`.
    public typealias NetworkLoggerPlugin = BluebonnetTargets.NetworkLoggerPlugin
    /// The library's `Session`.
    public typealias Session = Bluebonnet.Session
    /// The library's `RequestInterceptor`.
    public typealias RequestInterceptor = Bluebonnet.RequestInterceptor
    /// The library's `ParameterEncoding`.
    public typealias ParameterEncoding = BluebonnetChain.ParameterEncoding
    /// The library's `URLEncoding`.
    public typealias URLEncoding = BluebonnetChain.URLEncoding
    /// The library's `JSONEncoding`.
    public typealias JSONEncoding = BluebonnetChain.JSONEncoding
}

/// Moya's name for ``/BluebonnetChain/Bluebonnet/DownloadTask/Destination``.
public typealias DownloadDestination = DownloadRequest.Destination

/// Moya's name for Alamofire's form, which is ``/Bluebonnet/MultipartFormData``.
public typealias RequestMultipartFormData = MultipartFormData
