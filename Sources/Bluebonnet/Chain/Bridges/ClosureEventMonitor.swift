public import Dispatch
public import Foundation
public import FoundationNetworking

/// A monitor made of closures, one for each event.
///
/// ```swift
/// let monitor = ClosureEventMonitor()
/// monitor.requestDidFinish = { request in print("done", request) }
/// let session = Session(eventMonitors: [monitor])
/// ```
///
/// Set the closures before you add it to a manager. They are called on its queue.
// `open` so that ported subclasses compile: an override takes the place of the closure, and changes nothing else.
// @unchecked because the closures are set before the monitor is added, and only read from then on.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
    /// Where the closures are called.
    public let queue: DispatchQueue

    /// An attempt's request was made, and is not adapted yet.
    open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// An attempt's request could not be made.
    open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
    /// Adapters have changed an attempt's request.
    open var requestDidAdaptInitialRequestToAdaptedRequest:
        (@Sendable (Request, URLRequest, URLRequest) -> Void)?
    /// An adapter has failed.
    open var requestDidFailToAdaptURLRequestWithError:
        (@Sendable (Request, URLRequest, AFError) -> Void)?
    /// An attempt's request is as it will be sent.
    open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// The task is about to send its first request.
    open var requestDidCreateTask: (@Sendable (Request, SessionTask) -> Void)?
    /// The request was resumed.
    open var requestDidResume: (@Sendable (Request) -> Void)?
    /// The task goes on.
    open var requestDidResumeTask: (@Sendable (Request, SessionTask) -> Void)?
    /// The request was suspended.
    open var requestDidSuspend: (@Sendable (Request) -> Void)?
    /// The task has stopped.
    open var requestDidSuspendTask: (@Sendable (Request, SessionTask) -> Void)?
    /// The request was cancelled.
    open var requestDidCancel: (@Sendable (Request) -> Void)?
    /// The task was cancelled when it was under way.
    open var requestDidCancelTask: (@Sendable (Request, SessionTask) -> Void)?
    /// What was measured of an attempt is complete.
    open var requestDidGatherMetrics: (@Sendable (Request, TaskMetrics) -> Void)?
    /// The server was not trusted, so that nothing was sent.
    open var requestDidFailTaskEarlyWithError: (@Sendable (Request, SessionTask, AFError) -> Void)?
    /// A validation has judged the response.
    open var requestDidValidateRequestResponseWithResult:
        (@Sendable (Request, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
    /// An attempt has ended.
    open var requestDidCompleteTaskWithError: (@Sendable (Request, SessionTask, AFError?) -> Void)?
    /// Another attempt follows.
    open var requestIsRetrying: (@Sendable (Request) -> Void)?
    /// The request has ended, and its handlers are about to hear of it.
    open var requestDidFinish: (@Sendable (Request) -> Void)?
    /// The response of a handler without a serializer is on its way.
    open var requestDidParseResponse:
        (@Sendable (DataRequest, DataResponse<Data?, AFError>) -> Void)?
    /// The file of a download is complete, or could not be moved.
    open var requestDidFinishDownloadingUsingTaskWithResult:
        (@Sendable (DownloadRequest, SessionTask, Result<URL, AFError>) -> Void)?
    /// The file of a download is at its destination.
    open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
    /// The response of a handler without a serializer is on its way.
    open var requestDidParseDownloadResponse:
        (@Sendable (DownloadRequest, DownloadResponse<URL?, AFError>) -> Void)?
    /// A credential, or the trust in a server, is asked for.
    open var taskDidReceiveChallenge:
        (@Sendable (Session, SessionTask, AuthenticationChallenge) -> Void)?
    /// Bytes of the request's body were sent.
    open var taskDidSendBodyData: (@Sendable (Session, SessionTask, Int64, Int64, Int64) -> Void)?
    /// The stream of the request's body has to be made anew.
    open var taskNeedsNewBodyStream: (@Sendable (Session, SessionTask) -> Void)?
    /// A redirect is to be followed.
    open var taskWillPerformHTTPRedirection:
        (@Sendable (Session, SessionTask, HTTPURLResponse, URLRequest) -> Void)?
    /// What was measured of the task is complete.
    open var taskDidFinishCollectingMetrics:
        (@Sendable (Session, SessionTask, TaskMetrics) -> Void)?
    /// The task has ended.
    open var taskDidComplete: (@Sendable (Session, SessionTask, (any Error)?) -> Void)?
    /// The head of a response has come.
    open var dataTaskDidReceiveResponse:
        (@Sendable (Session, SessionTask, HTTPURLResponse) -> Void)?
    /// A piece of a body has come; only told of with `interests` that have ``TaskEvent/Interests/receivedData``.
    open var dataTaskDidReceiveData: (@Sendable (Session, SessionTask, Data) -> Void)?
    /// The server goes on with a download.
    open var downloadTaskDidResumeAtOffset:
        (@Sendable (Session, SessionTask, Int64, Int64) -> Void)?
    /// Bytes of a download were written.
    open var downloadTaskDidWriteData:
        (@Sendable (Session, SessionTask, Int64, Int64, Int64) -> Void)?
    /// The file of a download is complete.
    open var downloadTaskDidFinishDownloadingToURL: (@Sendable (Session, SessionTask, URL) -> Void)?

    /// Makes a monitor without closures.
    ///
    /// - Parameter queue: Where they are called; nil, the default, for the manager's callback queue, which they should not
    ///   block.
    public init(queue: DispatchQueue? = nil) {
        self.queue = queue ?? EventMonitorQueue.managers
    }

    /// Calls ``requestDidCreateInitialURLRequest``.
    open func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        requestDidCreateInitialURLRequest?(request, urlRequest)
    }
    /// Calls ``requestDidFailToCreateURLRequestWithError``.
    open func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        requestDidFailToCreateURLRequestWithError?(request, error)
    }
    /// Calls ``requestDidAdaptInitialRequestToAdaptedRequest``.
    open func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) { requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest) }
    /// Calls ``requestDidFailToAdaptURLRequestWithError``.
    open func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError
    ) { requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error) }
    /// Calls ``requestDidCreateURLRequest``.
    open func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        requestDidCreateURLRequest?(request, urlRequest)
    }
    /// Calls ``requestDidCreateTask``.
    open func request(_ request: Request, didCreateTask task: SessionTask) {
        requestDidCreateTask?(request, task)
    }
    /// Calls ``requestDidResume``.
    open func requestDidResume(_ request: Request) { requestDidResume?(request) }
    /// Calls ``requestDidResumeTask``.
    open func request(_ request: Request, didResumeTask task: SessionTask) {
        requestDidResumeTask?(request, task)
    }
    /// Calls ``requestDidSuspend``.
    open func requestDidSuspend(_ request: Request) { requestDidSuspend?(request) }
    /// Calls ``requestDidSuspendTask``.
    open func request(_ request: Request, didSuspendTask task: SessionTask) {
        requestDidSuspendTask?(request, task)
    }
    /// Calls ``requestDidCancel``.
    open func requestDidCancel(_ request: Request) { requestDidCancel?(request) }
    /// Calls ``requestDidCancelTask``.
    open func request(_ request: Request, didCancelTask task: SessionTask) {
        requestDidCancelTask?(request, task)
    }
    /// Calls ``requestDidGatherMetrics``.
    open func request(_ request: Request, didGatherMetrics metrics: TaskMetrics) {
        requestDidGatherMetrics?(request, metrics)
    }
    /// Calls ``requestDidFailTaskEarlyWithError``.
    open func request(
        _ request: Request, didFailTask task: SessionTask, earlyWithError error: AFError
    ) { requestDidFailTaskEarlyWithError?(request, task, error) }
    /// Calls ``requestDidValidateRequestResponseWithResult``.
    open func request(
        _ request: Request, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) { requestDidValidateRequestResponseWithResult?(request, urlRequest, response, result) }
    /// Calls ``requestDidCompleteTaskWithError``.
    open func request(_ request: Request, didCompleteTask task: SessionTask, with error: AFError?) {
        requestDidCompleteTaskWithError?(request, task, error)
    }
    /// Calls ``requestIsRetrying``.
    open func requestIsRetrying(_ request: Request) { requestIsRetrying?(request) }
    /// Calls ``requestDidFinish``.
    open func requestDidFinish(_ request: Request) { requestDidFinish?(request) }
    /// Calls ``requestDidParseResponse``.
    open func request(
        _ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>
    ) { requestDidParseResponse?(request, response) }
    /// Calls ``requestDidFinishDownloadingUsingTaskWithResult``.
    open func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: SessionTask,
        with result: Result<URL, AFError>
    ) { requestDidFinishDownloadingUsingTaskWithResult?(request, task, result) }
    /// Calls ``requestDidCreateDestinationURL``.
    open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
        requestDidCreateDestinationURL?(request, url)
    }
    /// Calls ``requestDidParseDownloadResponse``.
    open func request(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>
    ) { requestDidParseDownloadResponse?(request, response) }
    /// Calls ``taskDidReceiveChallenge``.
    open func urlSession(
        _ session: Session, task: SessionTask, didReceive challenge: AuthenticationChallenge
    ) { taskDidReceiveChallenge?(session, task, challenge) }
    /// Calls ``taskDidSendBodyData``.
    open func urlSession(
        _ session: Session, task: SessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) { taskDidSendBodyData?(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend) }
    /// Calls ``taskNeedsNewBodyStream``.
    open func urlSession(_ session: Session, taskNeedsNewBodyStream task: SessionTask) {
        taskNeedsNewBodyStream?(session, task)
    }
    /// Calls ``taskWillPerformHTTPRedirection``.
    open func urlSession(
        _ session: Session, task: SessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) { taskWillPerformHTTPRedirection?(session, task, response, request) }
    /// Calls ``taskDidFinishCollectingMetrics``.
    open func urlSession(
        _ session: Session, task: SessionTask, didFinishCollecting metrics: TaskMetrics
    ) { taskDidFinishCollectingMetrics?(session, task, metrics) }
    /// Calls ``taskDidComplete``.
    open func urlSession(
        _ session: Session, task: SessionTask, didCompleteWithError error: (any Error)?
    ) { taskDidComplete?(session, task, error) }
    /// Calls ``dataTaskDidReceiveResponse``.
    open func urlSession(
        _ session: Session, dataTask: SessionTask, didReceive response: HTTPURLResponse
    ) { dataTaskDidReceiveResponse?(session, dataTask, response) }
    /// Calls ``dataTaskDidReceiveData``.
    open func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data) {
        dataTaskDidReceiveData?(session, dataTask, data)
    }
    /// Calls ``downloadTaskDidResumeAtOffset``.
    open func urlSession(
        _ session: Session, downloadTask: SessionTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) { downloadTaskDidResumeAtOffset?(session, downloadTask, fileOffset, expectedTotalBytes) }
    /// Calls ``downloadTaskDidWriteData``.
    open func urlSession(
        _ session: Session, downloadTask: SessionTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        downloadTaskDidWriteData?(
            session, downloadTask, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }
    /// Calls ``downloadTaskDidFinishDownloadingToURL``.
    open func urlSession(
        _ session: Session, downloadTask: SessionTask, didFinishDownloadingTo location: URL
    ) { downloadTaskDidFinishDownloadingToURL?(session, downloadTask, location) }
}
