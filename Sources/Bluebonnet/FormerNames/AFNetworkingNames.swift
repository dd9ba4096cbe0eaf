public import Foundation
public import FoundationNetworking

// AFNetworking names for which the compiler suggests the replacement.

/// AFNetworking's name for ``SessionManager``.
@available(*, unavailable, renamed: "SessionManager")
public typealias AFURLSessionManager = SessionManager
/// AFNetworking's name for ``HTTPSessionManager``.
@available(*, unavailable, renamed: "HTTPSessionManager")
public typealias AFHTTPSessionManager = HTTPSessionManager
/// AFNetworking's name for ``RequestSerializer``.
@available(*, unavailable, renamed: "RequestSerializer")
public typealias AFURLRequestSerialization = RequestSerializer
/// AFNetworking's name for ``HTTPRequestSerializer``.
@available(*, unavailable, renamed: "HTTPRequestSerializer")
public typealias AFHTTPRequestSerializer = HTTPRequestSerializer
/// AFNetworking's name for ``JSONRequestSerializer``.
@available(*, unavailable, renamed: "JSONRequestSerializer")
public typealias AFJSONRequestSerializer = JSONRequestSerializer
/// AFNetworking's name for ``PropertyListRequestSerializer``.
@available(*, unavailable, renamed: "PropertyListRequestSerializer")
public typealias AFPropertyListRequestSerializer = PropertyListRequestSerializer
/// AFNetworking's name for ``ResponseSerializer``.
@available(*, unavailable, renamed: "ResponseSerializer")
public typealias AFURLResponseSerialization = ResponseSerializer
/// AFNetworking's name for ``HTTPResponseSerializer``.
@available(*, unavailable, renamed: "HTTPResponseSerializer")
public typealias AFHTTPResponseSerializer = HTTPResponseSerializer
/// AFNetworking's name for ``JSONResponseSerializer``.
@available(*, unavailable, renamed: "JSONResponseSerializer")
public typealias AFJSONResponseSerializer = JSONResponseSerializer
/// AFNetworking's name for ``XMLParserResponseSerializer``.
@available(*, unavailable, renamed: "XMLParserResponseSerializer")
public typealias AFXMLParserResponseSerializer = XMLParserResponseSerializer
/// AFNetworking's name for ``XMLDocumentResponseSerializer``.
@available(*, unavailable, renamed: "XMLDocumentResponseSerializer")
public typealias AFXMLDocumentResponseSerializer = XMLDocumentResponseSerializer
/// AFNetworking's name for ``PropertyListResponseSerializer``.
@available(*, unavailable, renamed: "PropertyListResponseSerializer")
public typealias AFPropertyListResponseSerializer = PropertyListResponseSerializer
/// AFNetworking's name for ``CompoundResponseSerializer``.
@available(*, unavailable, renamed: "CompoundResponseSerializer")
public typealias AFCompoundResponseSerializer = CompoundResponseSerializer
/// AFNetworking's name for ``MultipartFormData``.
@available(*, unavailable, renamed: "MultipartFormData")
public typealias AFMultipartFormData = MultipartFormData
/// AFNetworking's name for ``SecurityPolicy``.
@available(*, unavailable, renamed: "SecurityPolicy")
public typealias AFSecurityPolicy = SecurityPolicy
/// AFNetworking's name for ``SecurityPolicy/PinningMode``.
@available(*, unavailable, renamed: "SecurityPolicy.PinningMode")
public typealias AFSSLPinningMode = SecurityPolicy.PinningMode

/// A placeholder for AFNetworking's uppercase HTTP verbs.
public struct FormerVerb: Sendable {
    /// Accepts the arguments of AFNetworking's verbs.
    public func callAsFunction(
        _ path: String, parameters: Any? = nil, headers: Any? = nil,
        completionHandler: ((Response<any Sendable>) -> Void)? = nil
    ) {}
}

extension HTTPSessionManager {
    /// AFNetworking's name for `get`.
    @available(*, unavailable, renamed: "get")
    public var GET: FormerVerb { FormerVerb() }
    /// AFNetworking's name for `head`.
    @available(*, unavailable, renamed: "head")
    public var HEAD: FormerVerb { FormerVerb() }
    /// AFNetworking's name for `post`.
    @available(*, unavailable, renamed: "post")
    public var POST: FormerVerb { FormerVerb() }
    /// AFNetworking's name for `put`.
    @available(*, unavailable, renamed: "put")
    public var PUT: FormerVerb { FormerVerb() }
    /// AFNetworking's name for `patch`.
    @available(*, unavailable, renamed: "patch")
    public var PATCH: FormerVerb { FormerVerb() }
    /// AFNetworking's name for `delete`.
    @available(*, unavailable, renamed: "delete")
    public var DELETE: FormerVerb { FormerVerb() }

    /// AFNetworking's form of `get`, with separate success and failure blocks.
    @available(
        *, unavailable,
        message: "pass one completionHandler; its Response has the value or the error"
    )
    @discardableResult
    public func get(
        _ path: String,
        parameters: Any?,
        headers: [String: String]? = nil,
        progress: ((Progress) -> Void)? = nil,
        success: ((DataTask, Any?) -> Void)?,
        failure: ((DataTask?, any Error) -> Void)?
    ) -> DataTask? { nil }

    /// AFNetworking's form of `post`, with separate success and failure blocks.
    @available(
        *, unavailable,
        message: "pass one completionHandler; its Response has the value or the error"
    )
    @discardableResult
    public func post(
        _ path: String,
        parameters: Any?,
        headers: [String: String]? = nil,
        progress: ((Progress) -> Void)? = nil,
        success: ((DataTask, Any?) -> Void)?,
        failure: ((DataTask?, any Error) -> Void)?
    ) -> DataTask? { nil }

    /// AFNetworking's form of `put`, with separate success and failure blocks.
    @available(
        *, unavailable,
        message: "pass one completionHandler; its Response has the value or the error"
    )
    @discardableResult
    public func put(
        _ path: String,
        parameters: Any?,
        headers: [String: String]? = nil,
        progress: ((Progress) -> Void)? = nil,
        success: ((DataTask, Any?) -> Void)?,
        failure: ((DataTask?, any Error) -> Void)?
    ) -> DataTask? { nil }

    /// AFNetworking's form of `patch`, with separate success and failure blocks.
    @available(
        *, unavailable,
        message: "pass one completionHandler; its Response has the value or the error"
    )
    @discardableResult
    public func patch(
        _ path: String,
        parameters: Any?,
        headers: [String: String]? = nil,
        progress: ((Progress) -> Void)? = nil,
        success: ((DataTask, Any?) -> Void)?,
        failure: ((DataTask?, any Error) -> Void)?
    ) -> DataTask? { nil }

    /// AFNetworking's form of `delete`, with separate success and failure blocks.
    @available(
        *, unavailable,
        message: "pass one completionHandler; its Response has the value or the error"
    )
    @discardableResult
    public func delete(
        _ path: String,
        parameters: Any?,
        headers: [String: String]? = nil,
        progress: ((Progress) -> Void)? = nil,
        success: ((DataTask, Any?) -> Void)?,
        failure: ((DataTask?, any Error) -> Void)?
    ) -> DataTask? { nil }
}

extension SessionManager {
    /// AFNetworking's name for ``invalidate(cancelingTasks:resetSession:)``.
    @available(*, unavailable, renamed: "invalidate(cancelingTasks:resetSession:)")
    public func invalidateSessionCancelingTasks(_ cancelingTasks: Bool, resetSession: Bool) {}

    /// AFNetworking's setter for ``taskDidComplete``.
    @available(*, unavailable, message: "set the closure taskDidComplete")
    public func setTaskDidCompleteBlock(_ block: ((Any, SessionTask, (any Error)?) -> Void)?) {}

    /// AFNetworking's setter for ``taskWillPerformHTTPRedirection``.
    @available(*, unavailable, message: "set the closure taskWillPerformHTTPRedirection")
    public func setTaskWillPerformHTTPRedirectionBlock(
        _ block: ((Any, SessionTask, URLResponse, URLRequest) -> URLRequest?)?
    ) {}

    /// AFNetworking's setter for ``taskNeedsNewBodyStream``.
    @available(*, unavailable, message: "set the closure taskNeedsNewBodyStream")
    public func setTaskNeedNewBodyStreamBlock(_ block: ((Any, SessionTask) -> InputStream?)?) {}

    /// AFNetworking's setter for ``taskDidSendBodyData``.
    @available(*, unavailable, message: "set the closure taskDidSendBodyData")
    public func setTaskDidSendBodyDataBlock(
        _ block: ((Any, SessionTask, Int64, Int64, Int64) -> Void)?
    ) {}

    /// AFNetworking's setter for ``didReceiveChallenge``.
    @available(*, unavailable, message: "set the closure didReceiveChallenge")
    public func setAuthenticationChallengeHandler(_ block: Any?) {}

    /// AFNetworking's setter for ``didReceiveChallenge``.
    @available(*, unavailable, message: "set the closure didReceiveChallenge")
    public func setSessionDidReceiveAuthenticationChallengeBlock(_ block: Any?) {}

    /// AFNetworking's setter for ``sessionDidBecomeInvalid``.
    @available(*, unavailable, message: "set the closure sessionDidBecomeInvalid")
    public func setSessionDidBecomeInvalidBlock(_ block: ((Any, (any Error)?) -> Void)?) {}

    /// AFNetworking's setter for ``dataTaskDidReceiveResponse``.
    @available(*, unavailable, message: "set the closure dataTaskDidReceiveResponse")
    public func setDataTaskDidReceiveResponseBlock(
        _ block: ((Any, DataTask, URLResponse) -> Any)?
    ) {}

    /// AFNetworking's setter for ``dataTaskWillCacheResponse``.
    @available(*, unavailable, message: "set the closure dataTaskWillCacheResponse")
    public func setDataTaskWillCacheResponseBlock(
        _ block: ((Any, DataTask, CachedURLResponse) -> CachedURLResponse?)?
    ) {}

    /// AFNetworking's setter for ``dataTaskDidReceiveData``.
    @available(*, unavailable, message: "set the closure dataTaskDidReceiveData")
    public func setDataTaskDidReceiveDataBlock(_ block: ((Any, DataTask, Data) -> Void)?) {}

    /// AFNetworking's setter for ``downloadTaskDidFinishDownloading``.
    @available(*, unavailable, message: "set the closure downloadTaskDidFinishDownloading")
    public func setDownloadTaskDidFinishDownloadingBlock(
        _ block: ((Any, DownloadTask, URL) -> URL?)?
    ) {}

    /// AFNetworking's setter for ``downloadTaskDidWriteData``.
    @available(*, unavailable, message: "set the closure downloadTaskDidWriteData")
    public func setDownloadTaskDidWriteDataBlock(
        _ block: ((Any, DownloadTask, Int64, Int64, Int64) -> Void)?
    ) {}
}

extension RequestSerializer {
    /// AFNetworking's name for ``headers``.
    @available(*, unavailable, renamed: "headers")
    public var httpRequestHeaders: [String: String] { [:] }

    /// AFNetworking's setter for a header field.
    @available(*, unavailable, message: "set headers[field]")
    public func setValue(_ value: String?, forHTTPHeaderField field: String) {}

    /// AFNetworking's name for ``setAuthorization(username:password:)``.
    @available(*, unavailable, renamed: "setAuthorization(username:password:)")
    public func setAuthorizationHeaderFieldWithUsername(_ username: String, password: String) {}

    /// AFNetworking's name for ``clearAuthorization()``.
    @available(*, unavailable, renamed: "clearAuthorization()")
    public func clearAuthorizationHeader() {}
}

extension MultipartFormData {
    /// AFNetworking's name for ``appendPart(formData:name:)``.
    @available(*, unavailable, renamed: "appendPart(formData:name:)")
    public func appendPart(withForm formData: Data, name: String) {}

    /// AFNetworking's name for ``appendPart(fileData:name:fileName:mimeType:)``.
    @available(*, unavailable, renamed: "appendPart(fileData:name:fileName:mimeType:)")
    public func appendPart(
        withFileData fileData: Data, name: String, fileName: String, mimeType: String
    ) {}

    /// AFNetworking's name for ``appendPart(fileURL:name:)``.
    @available(*, unavailable, renamed: "appendPart(fileURL:name:)")
    public func appendPart(withFileURL fileURL: URL, name: String) {}
}

extension NSNotification.Name {
    /// AFNetworking's name for ``SessionTask/didResumeNotification``.
    @available(*, unavailable, renamed: "SessionTask.didResumeNotification")
    public static var AFNetworkingTaskDidResume: NSNotification.Name {
        SessionTask.didResumeNotification
    }
    /// AFNetworking's name for ``SessionTask/didCompleteNotification``.
    @available(*, unavailable, renamed: "SessionTask.didCompleteNotification")
    public static var AFNetworkingTaskDidComplete: NSNotification.Name {
        SessionTask.didCompleteNotification
    }
    /// AFNetworking's name for ``SessionTask/didSuspendNotification``.
    @available(*, unavailable, renamed: "SessionTask.didSuspendNotification")
    public static var AFNetworkingTaskDidSuspend: NSNotification.Name {
        SessionTask.didSuspendNotification
    }
}
