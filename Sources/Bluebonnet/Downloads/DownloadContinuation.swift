import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The part of a file that one attempt of a download leaves for the next, on the callback queue: it is kept, its rest is
/// asked for, and it is removed when no attempt can use it.
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
        switch stage {
        case .opening: break
        case .open(let file) where !isComplete: keep(file, then: next)
        // Refused as a whole.
        case .open(let file):
            download.remove(file)
            DownloadStage(delegate, download).goOn(next)
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
        delegate.handle(.startOver(Self.restOfAnother))
    }

    static var restOfAnother: BluebonnetError {
        .adaptation(
            "the rest of the download belongs to another file than the part on the disk; the whole is asked for",
            .init())
    }

    // MARK: The end of the task

    /// Removes what an earlier attempt has left, unless it is the file that this one has written.
    func forgetAttempt(unlessIn file: DownloadFile?) {
        let isLeft = download.state.withLock {
            $0.attemptTarget != nil && $0.record?.partial.path != file?.path
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
