public import Bluebonnet
public import Dispatch

// The default implementations do nothing.
extension EventMonitor {
    /// The manager's callback queue.
    public var queue: DispatchQueue { EventMonitorQueue.managers }

    /// All events, but no pieces of bodies if the monitor does not implement the method for them.
    ///
    /// Each piece is a copy. That the method is not implemented is known after its first call.
    public var interests: TaskEvent.Interests {
        let ignoresData = DefaultMethod.receivedData.isKnown(of: type(of: self))
        return ignoresData ? .all.subtracting(.receivedData) : .all
    }

    /// Does nothing.
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {}
    /// Does nothing.
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {}
    /// Does nothing.
    public func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {}
    /// Does nothing.
    public func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError
    ) {}
    /// Does nothing.
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {}
    /// Does nothing.
    public func request(_ request: Request, didCreateTask task: SessionTask) {}
    /// Does nothing.
    public func requestDidResume(_ request: Request) {}
    /// Does nothing.
    public func request(_ request: Request, didResumeTask task: SessionTask) {}
    /// Does nothing.
    public func requestDidSuspend(_ request: Request) {}
    /// Does nothing.
    public func request(_ request: Request, didSuspendTask task: SessionTask) {}
    /// Does nothing.
    public func requestDidCancel(_ request: Request) {}
    /// Does nothing.
    public func request(_ request: Request, didCancelTask task: SessionTask) {}
    /// Does nothing.
    public func request(_ request: Request, didGatherMetrics metrics: TaskMetrics) {}
    /// Does nothing.
    public func request(
        _ request: Request, didFailTask task: SessionTask, earlyWithError error: AFError
    ) {}
    /// Does nothing.
    public func request(
        _ request: Request, didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse, withResult result: Request.ValidationResult
    ) {}
    /// Does nothing.
    public func request(_ request: Request, didCompleteTask task: SessionTask, with error: AFError?)
    {}
    /// Does nothing.
    public func requestIsRetrying(_ request: Request) {}
    /// Does nothing.
    public func requestDidFinish(_ request: Request) {}
    /// Does nothing.
    public func request<Value: Sendable>(
        _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
    ) {}
    /// Does nothing.
    public func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: SessionTask,
        with result: Result<URL, AFError>
    ) {}
    /// Does nothing.
    public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {}
    /// Does nothing.
    public func request<Value: Sendable>(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, task: SessionTask, didReceive challenge: AuthenticationChallenge
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, task: SessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {}
    /// Does nothing.
    public func urlSession(_ session: Session, taskNeedsNewBodyStream task: SessionTask) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, task: SessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, task: SessionTask, didFinishCollecting metrics: TaskMetrics
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, task: SessionTask, didCompleteWithError error: (any Error)?
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, dataTask: SessionTask, didReceive response: HTTPURLResponse
    ) {}
    /// Does nothing.
    public func urlSession(_ session: Session, dataTask: SessionTask, didReceive data: Data) {
        DefaultMethod.receivedData.wasCalled(of: type(of: self))
    }
    /// Does nothing.
    public func urlSession(
        _ session: Session, dataTask: SessionTask,
        willCacheResponse proposedResponse: CachedResponse
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, downloadTask: SessionTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, downloadTask: SessionTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {}
    /// Does nothing.
    public func urlSession(
        _ session: Session, downloadTask: SessionTask, didFinishDownloadingTo location: URL
    ) {}
}

/// A placeholder for the callback queue of the manager to which a monitor is added.
enum EventMonitorQueue {
    static let managers = DispatchQueue(label: "bluebonnet.monitors.unused")
}
