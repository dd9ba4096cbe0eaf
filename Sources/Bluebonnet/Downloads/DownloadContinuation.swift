import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The partial file that one attempt of a download leaves for the next one, on the callback queue.
///
/// The file is kept, its missing bytes are requested, and it is removed if no attempt can use it.
struct DownloadContinuation: TaskStage {
    let delegate: TaskDelegate
    private let download: Download

    init(_ delegate: TaskDelegate, _ download: Download) {
        self.delegate = delegate
        self.download = download
    }

    // MARK: Between two attempts

    /// Keeps the partial file for the next attempt, or removes it, and then calls `begin`
    /// asynchronously.
    func keep(then begin: @escaping @Sendable (TaskDelegate) -> TaskRun.Event?) {
        let (stage, isComplete) = download.state.withLock { state in
            let stage = state.response.stage
            switch stage {
            // Deferred, so that the file does not open during the next attempt.
            case .opening: state.response.retrying = begin
            // A task that ends meanwhile waits until the file is kept or removed.
            case .open: state.response.stage = .settling
            case .notBegun, .settling, .settled: break
            }
            return (stage, state.response.isComplete)
        }
        let next: @Sendable () -> TaskRun.Event? = { [delegate, download] in
            download.state.withLock { $0.response = Download.Response() }
            return begin(delegate)
        }
        switch stage {
        case .opening: break
        case .open(let file) where !isComplete: keep(file, then: next)
        // The file was complete and was refused as a whole.
        case .open(let file): remove(file, then: next)
        case .notBegun, .settling, .settled: DownloadStage(delegate, download).goOn(next)
        }
    }

    private func keep(_ file: DownloadFile, then next: @escaping @Sendable () -> TaskRun.Event?) {
        session.work.begin()
        file.keep(options: download.options) { result in
            defer { session.work.end() }
            let stage = DownloadStage(delegate, download)
            stage.goOn {
                guard state.withLock({ $0.run.stage.isUnderWay }) else {
                    return stage.fileWasKept(result, file)
                }
                if let record = record(of: result) {
                    let target = delegate.adaptedURL?.withoutQuery
                    download.state.withLock { state in
                        (state.record, state.resumeData) = (record, record.data)
                        state.attemptTarget = target
                    }
                    return next()
                }
                remove(file, then: next)
                return nil
            }
        }
    }

    private func remove(_ file: DownloadFile, then next: @escaping @Sendable () -> TaskRun.Event?) {
        DownloadStage(delegate, download).remove(file) {
            if state.withLock({ $0.run.stage.isUnderWay }) { return next() }
            download.state.withLock { $0.response.stage = .settled }
            return .settled(nil)
        }
    }

    /// Returns the record for continuing a kept file; nil if it cannot be continued.
    func record(of result: Result<PartialFile, FileFailure>) -> ResumeRecord? {
        guard let head = delegate.head, let request = delegate.originalRequest,
            let partial = try? result.get()
        else { return nil }
        return ResumeRecord.make(from: head, request: request, file: partial)
    }

    // MARK: The next attempt

    /// Requests the bytes that are missing from the file, before adapters sign the request.
    func ask(for request: inout URLRequest) { download.record?.apply(to: &request) }

    /// Ends the attempt if adapters have changed the URL or method of a request for the missing
    /// bytes.
    ///
    /// - Returns: Whether the attempt ended, so that the task starts over without a range.
    func startsOver(with request: URLRequest) -> Bool {
        guard let target = download.state.withLock({ $0.attemptTarget }),
            request.url?.withoutQuery != target || request.httpMethod ?? "GET" != "GET"
        else { return false }
        download.forgetRecord()
        delegate.endAttempt(.failure(Self.restOfAnother))
        return true
    }

    /// Ends an attempt whose response does not continue the file, and starts over without a range.
    func startOver() {
        delegate.endAttempt(.failure(Self.restOfAnother))
        delegate.handle(.startOver(Self.restOfAnother))
    }

    static var restOfAnother: BluebonnetError {
        .adaptation(
            "the partial file on disk belongs to a different download; the whole file is requested again",
            .init())
    }

    // MARK: The end of the task

    /// Whether an earlier attempt has left a partial file that this attempt has not written.
    func hasLeftFile(besides file: DownloadFile?) -> Bool {
        download.state.withLock {
            $0.attemptTarget != nil && $0.record?.partial.path != file?.path
        }
    }
}

extension URL {
    /// The URL up to its query or fragment.
    fileprivate var withoutQuery: String {
        String(absoluteString.prefix { $0 != "?" && $0 != "#" })
    }
}
