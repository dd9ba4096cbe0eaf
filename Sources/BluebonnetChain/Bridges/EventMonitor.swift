public import Bluebonnet
public import Dispatch

/// A monitor that receives the events of requests through Alamofire's methods.
///
/// By default, every method does nothing. Add a monitor with
/// ``/Bluebonnet/SessionManager/addMonitor(_:)``, or pass it to the initializer of the manager.
/// It also receives the events of tasks that verbs such as `get` create.
///
/// A ported method whose parameters have types of `URLSession` compiles but is never called,
/// because a task is a ``/Bluebonnet/SessionTask``.
public protocol EventMonitor: TaskEventMonitor {
    /// The queue on which the methods are called.
    ///
    /// The default is the manager's callback queue, which a monitor should not block.
    var queue: DispatchQueue { get }

    // MARK: Building

    /// Called when the request of an attempt has been created, before adapters change it.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// Called when the request of an attempt could not be created.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// Called when adapters have changed the request of an attempt.
    func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest)
    /// Called when an adapter has failed.
    func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError)
    /// Called when the request of an attempt is ready to be sent.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// Called when the task is about to send its first request.
    func request(_ request: Request, didCreateTask task: SessionTask)

    // MARK: State

    /// Called when the request has been resumed.
    func requestDidResume(_ request: Request)
    /// Called when the task has started or continued.
    func request(_ request: Request, didResumeTask task: SessionTask)
    /// Called when the request has been suspended.
    func requestDidSuspend(_ request: Request)
    /// Called when a running task has been suspended.
    func request(_ request: Request, didSuspendTask task: SessionTask)
    /// Called when the request has been canceled.
    func requestDidCancel(_ request: Request)
    /// Called when a running task has been canceled.
    func request(_ request: Request, didCancelTask task: SessionTask)

    // MARK: The end

    /// Called when the metrics of an attempt are complete.
    func request(_ request: Request, didGatherMetrics metrics: TaskMetrics)
    /// Called when the server is not trusted, so nothing was sent.
    func request(
        _ request: Request, didFailTask task: SessionTask, earlyWithError error: AFError)
    /// Called when a validator has accepted or rejected the response.
    func request(
        _ request: Request, didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse, withResult result: Request.ValidationResult)
    /// Called when an attempt has ended.
    func request(_ request: Request, didCompleteTask task: SessionTask, with error: AFError?)
    /// Called when another attempt follows.
    func requestIsRetrying(_ request: Request)
    /// Called when the request has ended and its handlers are about to be called.
    func requestDidFinish(_ request: Request)
    /// Called when the response for a handler without a serializer is ready.
    func request(
        _ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// Called when the response for a handler is ready.
    ///
    /// By default, it is also called for handlers without a serializer.
    func request<Value: Sendable>(
        _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)

    // MARK: Downloads

    /// Called when a download's file has been moved to its destination, or could not be moved.
    ///
    /// Not called for a download without a destination.
    func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: SessionTask,
        with result: Result<URL, AFError>)
    /// Called when a download's file has been moved to its destination.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// Called when the response for a handler without a serializer is ready.
    func request(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// Called when the response for a handler is ready.
    ///
    /// By default, it is also called for handlers without a serializer.
    func request<Value: Sendable>(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)

    // MARK: The exchange

    /// Called when a credential is requested or a server's trust must be evaluated.
    func urlSession(
        _ session: Session, task: SessionTask, didReceive challenge: AuthenticationChallenge)
    /// Called when bytes of the request's body have been sent.
    func urlSession(
        _ session: Session, task: SessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
    /// Called when the stream of the request's body must be created again.
    func urlSession(_ session: Session, taskNeedsNewBodyStream task: SessionTask)
    /// Called when a redirect is about to be followed.
    func urlSession(
        _ session: Session, task: SessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest)
    /// Called when the metrics of the task are complete.
    func urlSession(
        _ session: Session, task: SessionTask, didFinishCollecting metrics: TaskMetrics)
    /// Called when the task has ended.
    func urlSession(
        _ session: Session, task: SessionTask, didCompleteWithError error: (any Error)?)
    /// Called when the head of a response has arrived.
    func urlSession(
        _ session: Session, dataTask: SessionTask, didReceive response: HTTPURLResponse)
    /// Called when a piece of a body has arrived.
    ///
    /// The data is a copy, which is made only if a monitor implements this method.
    func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data)
    /// Called when a cache is about to store a response, also after the request has finished.
    func urlSession(
        _ session: Session, dataTask: SessionTask,
        willCacheResponse proposedResponse: CachedResponse)
    /// Called when the server continues a download.
    func urlSession(
        _ session: Session, downloadTask: SessionTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64)
    /// Called when bytes of a download have been written.
    func urlSession(
        _ session: Session, downloadTask: SessionTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
    /// Called when the file of a download is complete.
    func urlSession(
        _ session: Session, downloadTask: SessionTask, didFinishDownloadingTo location: URL)
}
