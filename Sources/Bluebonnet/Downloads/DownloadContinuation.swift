import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What an attempt of a download leaves on the disk for the next one, on the callback queue: its file is kept when
/// another attempt is to follow, the rest is asked for, and what nobody can go on with is removed.
struct DownloadContinuation: TaskStage {
    let delegate: TaskDelegate
    private let download: Download

    init(_ delegate: TaskDelegate, _ download: Download) {
        self.delegate = delegate
        self.download = download
    }

    // MARK: Between two attempts

    /// Keeps what has come for the next attempt to go on with, or removes it; what follows comes later.
    func keep(then begin: @escaping @Sendable (TaskDelegate) -> TaskRun.Event?) {
        let (stage, isComplete) = download.state.withLock { state in
            let stage = state.response.stage
            switch stage {
            // Or the file would be opened for the next attempt.
            case .opening: state.response.retrying = begin
            // A task that ends meanwhile waits.
            case .open: state.response.stage = state.response.isComplete ? .settled : .settling
            case .notBegun, .settling, .settled: break
            }
            return (stage, state.response.isComplete)
        }
        let next: @Sendable () -> TaskRun.Event? = { [delegate, download] in
            download.state.withLock { $0.response = Download.Response() }
            return begin(delegate)
        }
        let download = DownloadStage(delegate, download)
        switch stage {
        case .opening: break
        case .open(let file) where !isComplete: keep(file, then: next)
        // Refused as a whole.
        case .open(let file):
            self.download.remove(file)
            download.goOn(next)
        case .notBegun, .settling, .settled: download.goOn(next)
        }
    }

    private func keep(_ file: DownloadFile, then next: @escaping @Sendable () -> TaskRun.Event?) {
        session.work.begin()
        file.keep(options: download.options) { result in
            defer { session.work.end() }
            let stage = DownloadStage(delegate, download)
            stage.goOn {
                guard state.withLock({ $0.run.stage.isUnderWay }) else {
                    stage.fileWasKept(result, file)
                    return .settled(nil)
                }
                if let record = record(of: result) {
                    let target = delegate.request.adaptedURL?.withoutQuery
                    download.state.withLock { state in
                        (state.record, state.resumeData) = (record, record.data)
                        state.attemptTarget = target
                    }
                } else {
                    download.remove(file)
                }
                return next()
            }
        }
    }

    /// What it takes to go on with a file that was kept; nil where that is impossible.
    func record(of result: Result<PartialFile, FileFailure>) -> ResumeRecord? {
        guard let head = delegate.head, let request = delegate.originalRequest,
            let partial = try? result.get()
        else { return nil }
        return ResumeRecord.make(from: head, request: request, file: partial)
    }

    // MARK: The next attempt

    /// Asks for the rest of what there is, before adapters sign the request.
    func ask(for request: inout URLRequest) { download.record?.apply(to: &request) }

    /// Whether adapters send the request elsewhere than in the attempt that has left a part, so that this attempt is
    /// made once more, without a range.
    func startsOver(with request: URLRequest) -> Bool {
        guard let target = download.state.withLock({ $0.attemptTarget }),
            request.url?.withoutQuery != target || request.httpMethod ?? "GET" != "GET"
        else { return false }
        download.forgetRecord()
        delegate.endAttempt(.failure(Self.restOfAnother))
        return true
    }

    /// Gives up an attempt whose response is not the rest, and makes another one, without a range.
    func startOver() {
        delegate.endAttempt(.failure(Self.restOfAnother))
        delegate.handle(.startOver)
    }

    private static var restOfAnother: BluebonnetError {
        .adaptation(
            "the rest of the download is not that of the part which is there; all of it is asked for again",
            .init())
    }

    // MARK: The end of the task

    /// Removes what an earlier attempt has left, unless this one has gone on with it.
    func forgetAttempt() {
        let isLeft = download.state.withLock { state in
            guard state.attemptTarget != nil else { return false }
            guard case .open(let file) = state.response.stage else { return true }
            return state.record?.partial.path != file.path
        }
        if isLeft { download.forgetRecord() }
    }
}

extension URL {
    /// The URL up to its query.
    fileprivate var withoutQuery: String {
        String(absoluteString.prefix { $0 != "?" && $0 != "#" })
    }
}
