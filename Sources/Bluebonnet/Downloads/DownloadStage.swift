import BluebonnetTransport
import Foundation

/// What becomes of a download's file at the end of its task.
struct Settlement {
    let outcome: TaskRun.Outcome
    /// The file of the last response; nil if none was begun.
    let file: DownloadFile?
    /// The location of the whole body; nil if it is not complete.
    let whole: URL?
    let place: Download.Place?
    /// Whether an incomplete file is kept for a resume.
    let isKept: Bool
    /// The partial file of an earlier attempt; nil if there is none.
    let left: PartialFile?
    /// Whether that file is kept for a resume.
    let keepsLeft: Bool
    let fileSystem: FileSystem
}

extension TaskState {
    /// Decides what becomes of the file of a download.
    ///
    /// A complete file is moved. An incomplete one is kept if it can be resumed, and removed
    /// otherwise. It is also removed if the task was canceled, unless resume data was requested.
    mutating func settlement(_ outcome: TaskRun.Outcome) -> Settlement {
        let file = exchange.reception.file
        let whole: URL? =
            if case .whole(_, let url)? = exchange.reception.destination { url } else { nil }
        let isSuccess = if case .success = outcome { true } else { false }
        let isWanted = wantsFile
        let left =
            rare.download?.hasLeftFile(besides: file) == true ? rare.download?.record?.partial : nil
        if isSuccess || !isWanted, left != nil { _ = rare.download?.forgetRecord() }
        let isKept = isWanted && !(whole != nil && outcome.isFailure)
        if let file, !isSuccess, !isKept { rare.download?.noteRemoval(of: file) }
        return Settlement(
            outcome: outcome, file: file, whole: whole, place: rare.download?.place, isKept: isKept,
            left: left, keepsLeft: !isSuccess && isWanted, fileSystem: fileSystem)
    }

    fileprivate var fileSystem: FileSystem {
        if case .file(let download) = flow { download.fileSystem } else { .linux }
    }

    /// The file of the resume data that the task was made with.
    fileprivate var resumedFile: PartialFile? {
        if case .file(let download) = flow { download.record?.partial } else { nil }
    }

    /// Whether to keep a partial file at the end.
    fileprivate var wantsFile: Bool {
        // After a fork, the partial file can be in use by the parent.
        if ProcessFork.hasLostThreads { return true }
        let keepsAlways =
            rare.download?.place?.options.contains(.keepsPartialFile) == true
        if keepsAlways || !rare.resumeDataHandlers.isEmpty { return true }
        guard case .file(let download) = flow else { return false }
        return download.isKeptAfterFailure && !run.isCancelled
    }

    /// Records the partial file of an attempt for the next one, and returns whether it can be
    /// continued.
    mutating func noteKept(
        _ result: Result<PartialFile, FileFailure>, of delegate: TaskDelegate
    ) -> Bool {
        guard let record = record(of: result, delegate) else { return false }
        let target = adaptedURL?.withoutQuery
        rare.download?.note(record, of: target)
        return true
    }

    /// Returns the record for continuing a kept file; nil if it cannot be continued.
    fileprivate func record(
        of result: Result<PartialFile, FileFailure>, _ delegate: TaskDelegate
    ) -> ResumeRecord? {
        guard let head = exchange.head,
            let request = delegate.setup.source.known ?? rare.firstRequest,
            let partial = try? result.get()
        else { return nil }
        return ResumeRecord.make(from: head, request: request, file: partial)
    }
}

/// Moves, keeps or removes the file of a download, on the callback queue.
struct DownloadStage: TaskStage {
    let delegate: TaskDelegate

    /// Continues on the callback queue with the result of work that was done elsewhere.
    private func goOn(_ work: @escaping @Sendable () -> TaskRun.Event?) {
        let answer: @Sendable (TaskDelegate) -> Void = { delegate in
            if let event = work() { delegate.take(event) }
        }
        session.send(.answer(answer), to: delegate.address)
    }

    /// Keeps the file of an attempt for the next one, or removes it.
    func keep(_ file: DownloadFile, isUsable: Bool) {
        guard isUsable else { return file.remove { goOn { .kept(nil) } } }
        file.keep(file.place.options) { result in goOn { .kept(result) } }
    }

    /// Ends the attempt with the failure of its exchange, once the bytes that arrived are written.
    func fail(_ error: BluebonnetError, afterWriting file: DownloadFile) {
        file.complete { _ in goOn { .failed(error) } }
    }

    /// Completes the file of a response.
    func complete(_ file: DownloadFile, ofExchange number: Int) {
        file.complete { result in goOn { .completed(result, ofExchange: number) } }
    }

    func settle(_ settlement: Settlement) -> TaskRun.Event? {
        guard let left = settlement.left else { return settleFile(of: settlement) }
        if settlement.keepsLeft {
            guard settlement.file == nil else { return settleFile(of: settlement) }
            settle(left, at: settlement.place?.url, on: settlement.fileSystem, error: nil)
        } else {
            let removed = session.work.counting { goOn { settleFile(of: settlement) } }
            left.remove(on: settlement.fileSystem, completion: removed)
        }
        return nil
    }

    private func settleFile(of settlement: Settlement) -> TaskRun.Event? {
        guard let file = settlement.file else { return .settled(nil) }
        guard case .success = settlement.outcome else {
            if settlement.isKept {
                keep(file, at: settlement.place?.url, error: nil)
            } else {
                remove(file, error: nil)
            }
            return nil
        }
        guard let whole = settlement.whole else { return .settled(nil) }
        delegate.emit(.finishedDownloading(whole))
        let asked = (task as? DownloadTask).flatMap { task in
            manager?.downloadTaskDidFinishDownloading(task, location: whole)
        }
        return .commit(to: asked ?? settlement.place?.url)
    }

    /// Moves the complete file to its place; a cancellation has no effect from here on.
    func move(_ file: DownloadFile, to place: URL) {
        file.move(to: place, file.place.options) { result in
            goOn {
                switch result {
                case .success(let url):
                    state.withLock { state in
                        state.rare.download?.fileURL = url
                        state.rare.download?.isMoved = true
                    }
                    delegate.emit(.movedFile(url))
                    return .settled(nil)
                case .failure(let failure):
                    delegate.emit(.failedToMoveFile(failure))
                    keep(file, at: place, error: .file(failure, .init()))
                    return nil
                }
            }
        }
    }

    /// Ends the task once its file is gone, so that a process that then exits leaves none.
    private func remove(_ file: DownloadFile, error: BluebonnetError?) {
        file.remove { goOn { .settled(error) } }
    }

    /// Ends the task with the resume data of its file, or once a file that cannot be resumed is
    /// removed.
    private func keep(_ file: DownloadFile, at place: URL?, error: BluebonnetError?) {
        file.keep(file.place.options) { result in
            goOn {
                let (kept, fileSystem) = state.withLock { state in
                    guard state.wantsFile, let record = state.record(of: result, delegate) else {
                        state.rare.download?.noteRemoval(of: file, keptAs: try? result.get())
                        return (nil as PartialFile?, state.fileSystem)
                    }
                    state.rare.download?.note(record)
                    return (record.partial, state.fileSystem)
                }
                if let kept {
                    settle(kept, at: place, on: fileSystem, error: error)
                } else {
                    remove(file, error: error)
                }
                return nil
            }
        }
    }

    /// Ends the task once its partial file has taken the place of the one that an earlier download
    /// to the same destination left.
    private func settle(
        _ partial: PartialFile, at place: URL?, on fileSystem: FileSystem, error: BluebonnetError?
    ) {
        // Resume data that the caller has still refers to its file.
        let isCallers = state.withLock { $0.resumedFile?.path == partial.path }
        guard let place, !isCallers else { return goOn { .settled(error) } }
        let done = session.work.counting {}
        partial.settle(at: place, on: fileSystem) { settled in
            goOn {
                state.withLock { $0.rare.download?.noteSettled(settled) }
                return .settled(error)
            }
            done()
        }
    }
}

extension TaskRun.Outcome {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

extension URL {
    /// The URL up to its query or fragment.
    var withoutQuery: String {
        String(absoluteString.prefix { $0 != "?" && $0 != "#" })
    }
}
