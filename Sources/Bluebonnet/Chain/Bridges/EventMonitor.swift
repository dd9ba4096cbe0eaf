public import Dispatch
public import Foundation
public import FoundationNetworking

/// Hears what happens to requests, by Alamofire's methods; every one does nothing unless you implement it.
///
/// It is a ``TaskEventMonitor``: add it with ``SessionManager/addMonitor(_:)-(EventMonitor)``, or pass it to the manager
/// when you make that. It hears of the tasks of verbs, too. A method of ported code whose types are `URLSession`'s
/// compiles, and is never called: a task is a ``SessionTask`` here.
public protocol EventMonitor: TaskEventMonitor {
    /// Where it is told; default the manager's callback queue, which it should not block.
    var queue: DispatchQueue { get }

    // MARK: Building

    /// An attempt's request was made, and is not adapted yet.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// An attempt's request could not be made.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// Adapters have changed an attempt's request.
    func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest)
    /// An adapter has failed.
    func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError)
    /// An attempt's request is as it will be sent.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// The task is about to send its first request.
    func request(_ request: Request, didCreateTask task: SessionTask)

    // MARK: State

    /// The request was resumed.
    func requestDidResume(_ request: Request)
    /// The task goes on.
    func request(_ request: Request, didResumeTask task: SessionTask)
    /// The request was suspended.
    func requestDidSuspend(_ request: Request)
    /// The task has stopped.
    func request(_ request: Request, didSuspendTask task: SessionTask)
    /// The request was cancelled.
    func requestDidCancel(_ request: Request)
    /// The task was cancelled when it was under way.
    func request(_ request: Request, didCancelTask task: SessionTask)

    // MARK: The end

    /// What was measured of an attempt is complete.
    func request(_ request: Request, didGatherMetrics metrics: TaskMetrics)
    /// The server was not trusted, so that nothing was sent.
    func request(
        _ request: Request, didFailTask task: SessionTask, earlyWithError error: AFError)
    /// A validation has judged the response.
    func request(
        _ request: Request, didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse, withResult result: Request.ValidationResult)
    /// An attempt has ended.
    func request(_ request: Request, didCompleteTask task: SessionTask, with error: AFError?)
    /// Another attempt follows.
    func requestIsRetrying(_ request: Request)
    /// The request has ended, and its handlers are about to hear of it.
    func requestDidFinish(_ request: Request)
    /// The response of a handler without a serializer is on its way.
    func request(
        _ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// The response of a handler is on its way.
    func request<Value: Sendable>(
        _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)

    // MARK: Downloads

    /// The file of a download is at its destination, or could not be moved there; not told of one without a destination.
    func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: SessionTask,
        with result: Result<URL, AFError>)
    /// The file of a download is at its destination.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// The response of a handler without a serializer is on its way.
    func request(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// The response of a handler is on its way.
    func request<Value: Sendable>(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)

    // MARK: The exchange, before the request hears of it

    /// A credential, or the trust in a server, is asked for.
    func urlSession(
        _ session: Session, task: SessionTask, didReceive challenge: AuthenticationChallenge)
    /// Bytes of the request's body were sent.
    func urlSession(
        _ session: Session, task: SessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
    /// The stream of the request's body has to be made anew.
    func urlSession(_ session: Session, taskNeedsNewBodyStream task: SessionTask)
    /// A redirect is to be followed.
    func urlSession(
        _ session: Session, task: SessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest)
    /// What was measured of the task is complete.
    func urlSession(
        _ session: Session, task: SessionTask, didFinishCollecting metrics: TaskMetrics)
    /// The task has ended.
    func urlSession(
        _ session: Session, task: SessionTask, didCompleteWithError error: (any Error)?)
    /// The head of a response has come.
    func urlSession(
        _ session: Session, dataTask: SessionTask, didReceive response: HTTPURLResponse)
    /// A piece of a body has come; only told of with `interests` that have ``TaskEvent/Interests/receivedData``.
    func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data)
    /// The server goes on with a download.
    func urlSession(
        _ session: Session, downloadTask: SessionTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64)
    /// Bytes of a download were written.
    func urlSession(
        _ session: Session, downloadTask: SessionTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
    /// The file of a download is complete.
    func urlSession(
        _ session: Session, downloadTask: SessionTask, didFinishDownloadingTo location: URL)
}
