public import Bluebonnet
import Dispatch

extension EventMonitor {
    /// Calls the methods that correspond to the events.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for event in events { MonitoredEvent(event).tell(self) }
    }

    /// Subscribes to the events of the manager's tasks, starting now, on the monitor's own queue.
    public func subscribe(to manager: SessionManager) -> TaskEventSubscription {
        manager.add(self, handler: tasksDidEmit)
    }
}

extension SessionManager {
    fileprivate func add(
        _ monitor: some EventMonitor, excluding unwanted: TaskEvent.Interests = [],
        handler: @escaping @Sendable ([TaskEvent]) -> Void
    ) -> TaskEventSubscription {
        let own: DispatchQueue = monitor.queue
        // The method for data has a parameter for the session.
        let excluded = unwanted.union(self is Session ? [] : .receivedData)
        let subscription = addMonitor(
            interests: monitor.interests.subtracting(excluded),
            currentInterests: { monitor.interests.subtracting(excluded) },
            on: own === EventMonitorQueue.managers ? nil : own,
            handler: handler)
        (monitor as? ClosureEventMonitor)?.interestsChange(subscription)
        return subscription
    }
}

extension Request {
    /// Adds a monitor for the events of this request, from now until its handlers have returned.
    ///
    /// - Parameter monitor: The monitor, which is called after the manager's monitors. Its methods
    ///   with a session are not called.
    /// - Returns: The request.
    @discardableResult
    public func eventMonitor(_ monitor: some EventMonitor) -> Self {
        guard let manager = delegate.manager else { return self }
        if let composite = monitor as? CompositeEventMonitor {
            for member in composite.monitors { eventMonitor(member) }
        } else {
            manager.add(monitor, for: delegate)
        }
        return self
    }
}

extension SessionManager {
    fileprivate func add(_ monitor: some EventMonitor, for delegate: TaskDelegate) {
        let subscription = add(monitor, excluding: .onlyOfExchanges) { [weak delegate] events in
            let own = events.filter { $0.task.delegate === delegate }.map(\.withoutExchange)
            if !own.isEmpty { monitor.tasksDidEmit(own) }
        }
        // Ends after the events of the delivery, or now if the delivery is over.
        delegate.afterDelivery { Task { await subscription.end() } }
    }
}

extension TaskEvent {
    fileprivate var withoutExchange: Self {
        var event = self
        event.concernsExchange = false
        return event
    }
}

extension TaskEvent.Interests {
    /// The kinds of events for which only methods with a session are called.
    fileprivate static let onlyOfExchanges: Self = [
        .challenged, .sentBodyData, .needsNewBodyStream, .willRedirect, .receivedHead,
        .receivedData, .willCacheResponse, .resumedDownload, .wroteData, .finishedDownloading,
    ]
}

/// An event of a task, mapped to the methods of Alamofire's monitors.
private struct MonitoredEvent {
    let event: TaskEvent
    let task: SessionTask
    /// The manager; nil if the monitor wants nothing about exchanges.
    let session: Session?

    init(_ event: TaskEvent) {
        self.event = event
        task = event.task
        session = event.concernsExchange ? event.task.delegate.manager as? Session : nil
    }

    private var request: Request { task }

    func tell(_ monitor: some EventMonitor) {
        switch event.kind {
        case .resumed, .suspended, .cancelled: tellOfState(monitor)
        case .preparedRequest(let urlRequest): tell(monitor, of: urlRequest)
        case .endedAttempt(let attempt): tellOfEnd(monitor, attempt.error)
        case .willRetry: monitor.requestIsRetrying(request)
        case .validated(let head, let error):
            if !event.isAfterValidation { tellOfExchangeEnd(monitor, nil) }
            monitor.request(
                request, didValidateRequest: request.request, response: head.httpURLResponse,
                withResult: error.map { .failure($0) } ?? .success(()))
        case .completed: tellOfCompletion(monitor)
        case .serialized(let response, _):
            (response as? any ParsedResponse)?.tell(monitor, of: request)
        case .movedFile, .failedToMoveFile: tellOfFile(monitor)
        default: if let session { tellOfExchange(monitor, session) }
        }
    }

    /// Whether the first attempt has begun; before that, Alamofire has a request but no task.
    private var hasBegun: Bool { event.attempt > 0 }

    private func tellOfState(_ monitor: some EventMonitor) {
        switch event.kind {
        case .resumed:
            monitor.requestDidResume(request)
            if hasBegun { monitor.request(request, didResumeTask: task) }
        case .suspended:
            monitor.requestDidSuspend(request)
            if hasBegun { monitor.request(request, didSuspendTask: task) }
        default:
            monitor.requestDidCancel(request)
            if hasBegun { monitor.request(request, didCancelTask: task) }
        }
    }

    private func tell(_ monitor: some EventMonitor, of urlRequest: URLRequest) {
        let initial = request.delegate.initialRequest(ofAttempt: event.attempt) ?? urlRequest
        monitor.request(request, didCreateInitialURLRequest: initial)
        if initial != urlRequest || initial.allHTTPHeaderFields != urlRequest.allHTTPHeaderFields {
            monitor.request(request, didAdaptInitialRequest: initial, to: urlRequest)
        }
        monitor.request(request, didCreateURLRequest: urlRequest)
        guard event.attempt == 1 else { return }
        monitor.request(request, didCreateTask: task)
        monitor.request(request, didResumeTask: task)
    }

    private func tellOfEnd(_ monitor: some EventMonitor, _ error: BluebonnetError?) {
        switch error {
        case .invalidRequest?:
            if let error { monitor.request(request, didFailToCreateURLRequestWithError: error) }
        case .adaptation?:
            guard let error, let initial = request.delegate.initialRequest(ofAttempt: event.attempt)
            else {
                return
            }
            monitor.request(request, didCreateInitialURLRequest: initial)
            monitor.request(request, didFailToAdaptURLRequest: initial, withError: error)
        default:
            if let error, error.isServerTrustEvaluationError {
                monitor.request(request, didFailTask: task, earlyWithError: error)
            }
            if !event.isAfterValidation || !monitor.interests.contains(.validated) {
                tellOfExchangeEnd(monitor, error)
            }
            monitor.request(request, didCompleteTask: task, with: error)
        }
    }

    /// Tells of the end of the attempt's exchanges, which comes before the verdicts of validators.
    private func tellOfExchangeEnd(_ monitor: some EventMonitor, _ error: BluebonnetError?) {
        guard let metrics = request.metrics(ofAttempt: event.attempt) else { return }
        if let session { monitor.urlSession(session, task: task, didFinishCollecting: metrics) }
        monitor.request(request, didGatherMetrics: metrics)
        if let session {
            monitor.urlSession(session, task: task, didCompleteWithError: error?.ofExchange)
        }
    }

    private func tellOfCompletion(_ monitor: some EventMonitor) {
        guard case .completed(let error) = event.kind else { return }
        if error == nil, let request = request as? DownloadRequest, let file = request.unmovedFile {
            monitor.request(request, didFinishDownloadingUsing: task, with: .success(file))
        }
        monitor.requestDidFinish(request)
    }

    private func tellOfFile(_ monitor: some EventMonitor) {
        guard let request = request as? DownloadRequest else { return }
        switch event.kind {
        case .movedFile(let url):
            monitor.request(request, didCreateDestinationURL: url)
            monitor.request(request, didFinishDownloadingUsing: task, with: .success(url))
        case .failedToMoveFile(let failure):
            let error = AFError.file(failure, .init(request: request.request))
            monitor.request(request, didFinishDownloadingUsing: task, with: .failure(error))
        default: break
        }
    }

    private func tellOfExchange(_ monitor: some EventMonitor, _ session: Session) {
        switch event.kind {
        case .challenged(let challenge):
            monitor.urlSession(session, task: task, didReceive: challenge)
        case .sentBodyData(let count, let total, let expected):
            monitor.urlSession(
                session, task: task, didSendBodyData: count, totalBytesSent: total,
                totalBytesExpectedToSend: expected)
        case .needsNewBodyStream: monitor.urlSession(session, taskNeedsNewBodyStream: task)
        case .willRedirect(let head, let next):
            monitor.urlSession(
                session, task: task, willPerformHTTPRedirection: head.httpURLResponse,
                newRequest: next)
        case .receivedHead(let head):
            monitor.urlSession(session, dataTask: task, didReceive: head.httpURLResponse)
        case .receivedData(let data):
            monitor.urlSession(session, dataTask: task, didReceive: data)
        case .willCacheResponse(let response):
            monitor.urlSession(session, dataTask: task, willCacheResponse: response)
        case .resumedDownload(let offset, let total):
            monitor.urlSession(
                session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total)
        case .wroteData(let count, let total, let expected):
            monitor.urlSession(
                session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
                totalBytesExpectedToWrite: expected)
        case .finishedDownloading(let url):
            monitor.urlSession(session, downloadTask: task, didFinishDownloadingTo: url)
        default: break
        }
    }
}

extension DownloadRequest {
    /// The complete file of a download without a destination.
    fileprivate var unmovedFile: URL? {
        let file = delegate.file
        return file.isMoved ? nil : file.url
    }
}

extension BluebonnetError {
    /// The error, unless it is a verdict about a complete response.
    fileprivate var ofExchange: BluebonnetError? { stage == .validation ? nil : self }
}

// A monitor for responses of any type implements only the generic method.
extension EventMonitor {
    /// Calls the generic method.
    public func request(
        _ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>
    ) { tell(response, of: request) }

    /// Calls the generic method.
    public func request(
        _ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>
    ) { tell(response, of: request) }

    private func tell<Value>(_ response: Response<Value>, of dataRequest: DataRequest) {
        request(dataRequest, didParseResponse: response)
    }

    private func tell<Value>(_ response: AFDownloadResponse<Value>, of download: DownloadRequest) {
        request(download, didParseResponse: response)
    }
}

/// A response with a value of any type.
private protocol ParsedResponse {
    func tell(_ monitor: some EventMonitor, of request: Request)
}

extension Response: ParsedResponse {
    fileprivate func tell(_ monitor: some EventMonitor, of request: Request) {
        switch request {
        case let request as DataRequest:
            if let plain = self as? Response<Data?> {
                return monitor.request(request, didParseResponse: plain)
            }
            monitor.request(request, didParseResponse: self)
        case let request as DownloadRequest:
            if let plain = self as? Response<URL?> {
                return monitor.request(request, didParseResponse: AFDownloadResponse(plain))
            }
            monitor.request(request, didParseResponse: AFDownloadResponse(self))
        default: break
        }
    }
}
