public import Bluebonnet
public import Dispatch

/// A monitor that consists of one closure for each event.
///
/// ```swift
/// let monitor = ClosureEventMonitor()
/// monitor.requestDidFinish = { request in print("done", request) }
/// let session = Session(eventMonitors: [monitor])
/// ```
///
/// Set the closures before the requests whose events they receive start. They are called on the
/// monitor's queue.
// `open` so that ported subclasses compile: an override replaces only its closure.
// @unchecked because the closures are set before the requests start, and only read afterwards. A
// subclass protects its own state.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
    /// The queue on which the closures are called.
    public let queue: DispatchQueue
    private let subscriptions = Locked<[WeakSubscription]>([])

    /// Called when the request of an attempt has been created, before adapters change it.
    open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// Called when the request of an attempt could not be created.
    open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
    /// Called when adapters have changed the request of an attempt.
    open var requestDidAdaptInitialRequestToAdaptedRequest:
        (@Sendable (Request, URLRequest, URLRequest) -> Void)?
    /// Called when an adapter has failed.
    open var requestDidFailToAdaptURLRequestWithError:
        (@Sendable (Request, URLRequest, AFError) -> Void)?
    /// Called when the request of an attempt is ready to be sent.
    open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// Called when the task is about to send its first request.
    open var requestDidCreateTask: (@Sendable (Request, SessionTask) -> Void)?
    /// Called when the request has been resumed.
    open var requestDidResume: (@Sendable (Request) -> Void)?
    /// Called when the task has started or continued.
    open var requestDidResumeTask: (@Sendable (Request, SessionTask) -> Void)?
    /// Called when the request has been suspended.
    open var requestDidSuspend: (@Sendable (Request) -> Void)?
    /// Called when a running task has been suspended.
    open var requestDidSuspendTask: (@Sendable (Request, SessionTask) -> Void)?
    /// Called when the request has been canceled.
    open var requestDidCancel: (@Sendable (Request) -> Void)?
    /// Called when a running task has been canceled.
    open var requestDidCancelTask: (@Sendable (Request, SessionTask) -> Void)?
    /// Called when the metrics of an attempt are complete.
    open var requestDidGatherMetrics: (@Sendable (Request, TaskMetrics) -> Void)?
    /// Called when the server is not trusted, so nothing was sent.
    open var requestDidFailTaskEarlyWithError: (@Sendable (Request, SessionTask, AFError) -> Void)?
    /// Called when a validator has accepted or rejected the response.
    open var requestDidValidateRequestResponseWithResult:
        (@Sendable (Request, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
    /// Called when an attempt has ended.
    open var requestDidCompleteTaskWithError: (@Sendable (Request, SessionTask, AFError?) -> Void)?
    /// Called when another attempt follows.
    open var requestIsRetrying: (@Sendable (Request) -> Void)?
    /// Called when the request has ended and its handlers are about to be called.
    open var requestDidFinish: (@Sendable (Request) -> Void)?
    /// Called when the response for a handler without a serializer is ready.
    open var requestDidParseResponse:
        (@Sendable (DataRequest, DataResponse<Data?, AFError>) -> Void)?
    /// Called when a download's file has been moved to its destination, or could not be moved.
    ///
    /// Not called for a download without a destination.
    open var requestDidFinishDownloadingUsingTaskWithResult:
        (@Sendable (DownloadRequest, SessionTask, Result<URL, AFError>) -> Void)?
    /// Called when a download's file has been moved to its destination.
    open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
    /// Called when the response for a handler without a serializer is ready.
    open var requestDidParseDownloadResponse:
        (@Sendable (DownloadRequest, DownloadResponse<URL?, AFError>) -> Void)?
    /// Called when a credential is requested or a server's trust must be evaluated.
    open var taskDidReceiveChallenge:
        (@Sendable (Session, SessionTask, AuthenticationChallenge) -> Void)?
    /// Called when bytes of the request's body have been sent.
    open var taskDidSendBodyData: (@Sendable (Session, SessionTask, Int64, Int64, Int64) -> Void)?
    /// Called when the stream of the request's body must be created again.
    open var taskNeedsNewBodyStream: (@Sendable (Session, SessionTask) -> Void)?
    /// Called when a redirect is about to be followed.
    open var taskWillPerformHTTPRedirection:
        (@Sendable (Session, SessionTask, HTTPURLResponse, URLRequest) -> Void)?
    /// Called when the metrics of the task are complete.
    open var taskDidFinishCollectingMetrics:
        (@Sendable (Session, SessionTask, TaskMetrics) -> Void)?
    /// Called when the task has ended.
    open var taskDidComplete: (@Sendable (Session, SessionTask, (any Error)?) -> Void)?
    /// Called when the head of a response has arrived.
    open var dataTaskDidReceiveResponse:
        (@Sendable (Session, SessionTask, HTTPURLResponse) -> Void)?
    /// Called when a piece of a body has arrived.
    ///
    /// The data is a copy, which is made only while the closure is set.
    open var dataTaskDidReceiveData: (@Sendable (Session, SessionTask, Data) -> Void)? {
        didSet {
            for subscription in subscriptions.withLock({ $0 }) {
                subscription.value?.updateInterests()
            }
        }
    }
    /// Called when a cache is about to store a response, also after the request has finished.
    open var dataTaskWillCacheResponse: (@Sendable (Session, SessionTask, CachedResponse) -> Void)?
    /// Called when the server continues a download.
    open var downloadTaskDidResumeAtOffset:
        (@Sendable (Session, SessionTask, Int64, Int64) -> Void)?
    /// Called when bytes of a download have been written.
    open var downloadTaskDidWriteData:
        (@Sendable (Session, SessionTask, Int64, Int64, Int64) -> Void)?
    /// Called when the file of a download is complete.
    open var downloadTaskDidFinishDownloadingToURL: (@Sendable (Session, SessionTask, URL) -> Void)?

    /// Creates a monitor without closures.
    ///
    /// - Parameter queue: The queue on which the closures are called. If it is nil, the default,
    ///   they are called on the manager's callback queue, which they should not block.
    public init(queue: DispatchQueue? = nil) {
        self.queue = queue ?? EventMonitorQueue.managers
    }

    /// All events, but no pieces of bodies while ``dataTaskDidReceiveData`` is nil.
    ///
    /// A subclass receives the pieces too, because it can override the method for them. If it does
    /// not, override this property to avoid a copy of each body.
    open var interests: TaskEvent.Interests {
        let ignoresData =
            type(of: self) == ClosureEventMonitor.self && dataTaskDidReceiveData == nil
        return ignoresData ? .all.subtracting(.receivedData) : .all
    }

    /// Notes a subscription whose interests change with ``dataTaskDidReceiveData``.
    func interestsChange(_ subscription: TaskEventSubscription) {
        subscriptions.withLock { subscriptions in
            subscriptions.removeAll { $0.value == nil }
            subscriptions.append(WeakSubscription(value: subscription))
        }
    }

    private struct WeakSubscription: Sendable {
        weak let value: TaskEventSubscription?
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
    /// Calls ``dataTaskWillCacheResponse``.
    open func urlSession(
        _ session: Session, dataTask: SessionTask,
        willCacheResponse proposedResponse: CachedResponse
    ) { dataTaskWillCacheResponse?(session, dataTask, proposedResponse) }
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
