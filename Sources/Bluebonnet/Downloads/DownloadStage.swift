import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The stage that writes a task's response to a file, on the callback queue.
///
/// The file is opened when the head is accepted, and written as the body arrives. It is moved, kept
/// or removed once the outcome of the task is known.
struct DownloadStage: TaskStage {
    let delegate: TaskDelegate
    private let download: Download

    init(_ delegate: TaskDelegate, _ download: Download) {
        self.delegate = delegate
        self.download = download
    }

    /// Continues on the callback queue with the result of work that was done elsewhere.
    func goOn(_ work: @escaping @Sendable () -> TaskRun.Event?) {
        let answer: @Sendable (TaskDelegate) -> Void = { delegate in
            if let event = work() { delegate.handle(event) }
        }
        session.send(.answer(answer), to: delegate.address)
    }

    // MARK: Opening

    /// Opens the file of an accepted response.
    func begin(_ head: ResponseHead) {
        // Its file would appear complete.
        if head.isPart, !requestsRange {
            return delegate.handle(.failed(.transport(.unrequestedPart(head), .init())))
        }
        let place = download.place(for: head)
        download.state.withLock { state in
            state.response.stage = .opening
            state.response.expectedLength = head.isUncoded ? head.expectedContentLength : nil
        }
        session.work.begin()
        DownloadFile.open(
            in: download.directory(for: place),
            options: download.options,
            fileSystem: download.fileSystem,
            failureHandler: failureHandler
        ) { [options = download.options] result in
            let end: @Sendable (Result<DownloadFile, FileFailure>) -> Void = { result in
                fileDidOpen(result)
                session.work.end()
            }
            guard let place else { return end(result) }
            // Checked now rather than after the whole body; the move checks again.
            guard case .success(let file) = result, let refusal = refusal(of: place, options)
            else { return end(result.mapError { $0.concerning(place) }) }
            file.discard { end(.failure(refusal)) }
        }
    }

    private var requestsRange: Bool {
        delegate.currentRequest?.value(forHTTPHeaderField: "Range") != nil
            || session.configuration.additionalHeaders["Range"] != nil
    }

    /// Returns a failure if a destination exists and must not be replaced.
    private func refusal(of place: URL, _ options: DownloadOptions) -> FileFailure? {
        // The move reports a URL that is not a path.
        guard let path = try? FilePath(place, for: .move) else { return nil }
        guard options.contains(.removePreviousFile) else {
            let status = try? download.fileSystem.statusOfPath(path.string, false)
            return status.map { status in
                FileFailure(
                    .move, path: path.string,
                    error: SystemError(status.kind == .directory ? EISDIR : EEXIST))
            }
        }
        do throws(FileFailure) {
            _ = try path.replacedFile(on: download.fileSystem)
            return nil
        } catch {
            return error
        }
    }

    /// Reopens the file of an earlier download to append to it.
    func continueFile(_ record: ResumeRecord, total: Int64, _ head: ResponseHead) {
        _ = download.place(for: head)
        download.state.withLock { state in
            state.response.stage = .opening
            state.response.expectedLength = total
            state.response.resumption = (record.offset, total)
            // The body of a 416 response is an explanation, not a part of the file.
            state.response.dropsBody = head.statusCode == 416
        }
        state.withLock { state in
            state.exchange.isFlowing = true
            // The status code already fits the range, so nothing else has to judge the head.
            state.exchange.judgedCount = .max
            state.receiving.begin(total: total, completed: record.offset)
        }
        session.work.begin()
        DownloadFile.open(
            record.partial, fileSystem: download.fileSystem, failureHandler: failureHandler
        ) { result in
            defer { session.work.end() }
            switch result {
            case .success: fileDidOpen(result)
            // The partial file is not usable, so the whole body is requested again.
            case .failure:
                goOn {
                    startOver()
                    return nil
                }
            }
        }
    }

    private var failureHandler: @Sendable (FileFailure) -> Void {
        { [weak delegate, weak download] failure in
            guard let delegate, let download else { return }
            let stage = DownloadStage(delegate, download)
            stage.goOn { stage.fileDidFail(failure) }
        }
    }

    /// Returns the event that ends the task with a failure to write the body.
    private func fileDidFail(_ failure: FileFailure) -> TaskRun.Event {
        let (place, stage) = download.state.withLock { ($0.place ?? nil, $0.response.stage) }
        guard let place else { return .failed(.file(failure, .init())) }
        let failure = failure.concerning(place)
        // Not emitted once the task has ended.
        if case .open = stage { delegate.emit(.failedToMoveFile(failure)) }
        return .failed(.file(failure, .init()))
    }

    private func fileDidOpen(_ result: Result<DownloadFile, FileFailure>) {
        goOn {
            switch result {
            case .success(let file): fileIsOpen(file)
            case .failure(let failure): fileDidNotOpen(failure)
            }
        }
    }

    private func fileIsOpen(_ file: DownloadFile) -> TaskRun.Event? {
        let response = download.state.withLock { state in
            let response = state.response
            state.response.stage = .open(file)
            state.response.pending = []
            (state.response.ending, state.response.resumption) = (nil, nil)
            state.response.failure = nil
            return response
        }
        if let resumption = response.resumption {
            delegate.emit(
                .resumedDownload(offset: resumption.offset, expectedTotal: resumption.total))
        }
        if !response.pending.isEmpty { write(response.pending, to: file) }
        if let ending = response.ending { return settle(ending) }
        if let retrying = response.retrying {
            DownloadContinuation(delegate, download).keep(then: retrying)
            return nil
        }
        if let failure = response.failure { return fail(failure) }
        if response.isOver { finish(file) }
        return nil
    }

    private func fileDidNotOpen(_ failure: FileFailure) -> TaskRun.Event? {
        let (ending, retrying, former, place) = download.state.withLock { state in
            state.response.stage = .settled
            return (
                state.response.ending.take(), state.response.retrying.take(),
                state.response.failure.take(), state.place ?? nil
            )
        }
        guard ending == nil else { return .settled(nil) }
        if let retrying {
            DownloadContinuation(delegate, download).keep(then: retrying)
            return nil
        }
        if let former { return .failed(former) }
        // Without a destination, the failure is that of the temporary directory, not of a move.
        if place != nil { delegate.emit(.failedToMoveFile(failure)) }
        return .failed(.file(failure, .init()))
    }

    /// Abandons this response and requests the whole body from its beginning.
    func startOver() {
        download.forgetRecord()
        let response = download.state.withLock { state in
            defer { state.response = Download.Response() }
            return state.response
        }
        guard response.ending == nil else { return delegate.handle(.settled(nil)) }
        if let retrying = response.retrying {
            return DownloadContinuation(delegate, download).keep(then: retrying)
        }
        if let failure = response.failure { return delegate.handle(.failed(failure)) }
        let (request, isAdapted) = state.withLock { state in
            state.exchange.isFlowing = false
            state.exchange.isGivenUp = true
            return (state.attempt.request, state.attempt.interception != nil)
        }
        // The adapters have signed the range too, so they have to sign a new request.
        if isAdapted { return DownloadContinuation(delegate, download).startOver() }
        guard let request else { return }
        // The same Digest field must not be sent twice.
        ChallengeStage(delegate).useKnownCredentials(for: request)
        delegate.handle(.restart(request))
    }

    // MARK: Writing

    func write(_ chunks: [Exchange.Chunk]) {
        let (file, isDropped): (DownloadFile?, Bool) = download.state.withLock { state in
            guard !state.response.dropsBody else { return (nil, true) }
            switch state.response.stage {
            case .open(let file): return (file, false)
            case .opening: state.response.pending += chunks
            case .notBegun, .settling, .settled: break
            }
            return (nil, false)
        }
        if let file { write(chunks, to: file) }
        if isDropped { delegate.didConsume(chunks) }
    }

    private func write(_ chunks: [Exchange.Chunk], to file: DownloadFile) {
        session.work.begin()
        file.write(chunks) { count in
            defer { session.work.end() }
            delegate.didConsume(count)
            goOn {
                didWrite(Int64(count))
                return nil
            }
        }
    }

    private func didWrite(_ count: Int64) {
        let (report, total, expected) = state.withLock { state in
            let total = state.receiving.completed + count
            let report = state.receiving.advance(to: total, controlling: delegate)
            return (report, total, state.receiving.total)
        }
        if let report { report.handler(report.progress) }
        delegate.emit(.wroteData(count: count, total: total, expectedTotal: expected))
    }

    // MARK: The end of the response

    /// Finishes the file once it is open and all chunks are written.
    func finish() -> TaskRun.Event? {
        let file: DownloadFile? = download.state.withLock { state in
            state.response.isOver = true
            guard case .open(let file) = state.response.stage else { return nil }
            return file
        }
        if let file { finish(file) }
        return nil
    }

    /// Ends the attempt with the failure of its exchange, once the received chunks are written.
    func fail(_ error: BluebonnetError) -> TaskRun.Event? {
        let stage = download.state.withLock { state in
            if case .opening = state.response.stage { state.response.failure = error }
            return state.response.stage
        }
        switch stage {
        case .opening: return nil
        case .open(let file):
            session.work.begin()
            file.finish { _ in
                defer { session.work.end() }
                goOn { .failed(error) }
            }
            return nil
        case .notBegun, .settling, .settled: return .failed(error)
        }
    }

    private func finish(_ file: DownloadFile) {
        file.finish { result in
            goOn { fileIsComplete(result) }
        }
    }

    private func fileIsComplete(_ result: Result<Int64, FileFailure>) -> TaskRun.Event {
        let report = state.withLock { $0.receiving.end(controlling: delegate) }
        if let report { report.handler(report.progress) }
        switch result {
        case .failure(let failure):
            let place = download.state.withLock { $0.place ?? nil }
            return .failed(.file(place.map(failure.concerning) ?? failure, .init()))
        case .success(let length):
            let expected = download.state.withLock { $0.response.expectedLength }
            guard expected == nil || expected == length else {
                return .failed(.transport(.cutShort(length, expected ?? 0), .init()))
            }
            download.state.withLock { $0.response.isComplete = true }
            return .collected
        }
    }

    // MARK: The end of the task

    /// Decides what happens to the file at the end of the task.
    ///
    /// A complete file is moved. An incomplete one is kept if it can be resumed, and removed
    /// otherwise. It is also removed if the task was canceled, unless resume data was requested.
    func settle(_ outcome: TaskRun.Outcome) -> TaskRun.Event? {
        let continuation = DownloadContinuation(delegate, download)
        if case .success = outcome {
            if continuation.hasLeftFile(besides: download.openFile) { download.forgetRecord() }
            return state.withLock({ $0.exchange.isFlowing }) ? findPlace() : .settled(nil)
        }
        let isUnwanted = !wantsFile
        let isKept = !isUnwanted && !isRefused(outcome)
        let (file, isUnderWay): (DownloadFile?, Bool) = download.state.withLock { state in
            switch state.response.stage {
            case .settling: return (nil, true)
            case .open(let file):
                state.response.stage = .settling
                return (file, false)
            // Waits for the file to open, to keep the pending chunks or to remove it.
            case .opening:
                state.response.ending = outcome
                return (nil, true)
            case .notBegun, .settled:
                state.response.stage = .settled
                return (nil, false)
            }
        }
        guard !isUnderWay else { return nil }
        guard isUnwanted, continuation.hasLeftFile(besides: file) else {
            return end(file, isKept: isKept)
        }
        download.state.withLock { $0.response.stage = .settling }
        session.work.begin()
        download.forgetRecord {
            defer { session.work.end() }
            goOn { end(file, isKept: isKept) }
        }
        return nil
    }

    /// Ends the task once its file is kept or gone, so that a process that then exits leaves none.
    private func end(_ file: DownloadFile?, isKept: Bool) -> TaskRun.Event? {
        guard let file else {
            download.state.withLock { $0.response.stage = .settled }
            return .settled(nil)
        }
        if isKept { keep(file, error: nil) } else { remove(file, error: nil) }
        return nil
    }

    /// Whether to keep a partial file: a cancellation discards it unless resume data was requested.
    private var wantsFile: Bool {
        // After a fork, the partial file can be in use by the parent.
        let keepsAlways =
            download.options.contains(.keepsPartialFileOnCancel) || ProcessFork.hasLostThreads
        return state.withLock { state in
            keepsAlways || !state.run.isCancelled || !state.resumeDataHandlers.isEmpty
        }
    }

    /// Whether the task fails although its file is complete, so that nothing is left to resume.
    private func isRefused(_ outcome: TaskRun.Outcome) -> Bool {
        guard case .failure = outcome else { return false }
        return download.state.withLock { $0.response.isComplete }
    }

    private func remove(_ file: DownloadFile, error: BluebonnetError?) {
        remove(file) {
            download.state.withLock { $0.response.stage = .settled }
            return .settled(error)
        }
    }

    /// Removes a file, and continues on the callback queue.
    func remove(_ file: DownloadFile, then next: @escaping @Sendable () -> TaskRun.Event?) {
        session.work.begin()
        download.remove(file) {
            defer { session.work.end() }
            goOn(next)
        }
    }

    private func keep(_ file: DownloadFile, error: BluebonnetError?) {
        file.keep(options: download.options) { result in
            goOn { fileWasKept(result, file, error: error) }
        }
    }

    /// Ends the task with the resume data of a kept file, or once a file that cannot be resumed is
    /// removed.
    func fileWasKept(
        _ result: Result<PartialFile, FileFailure>, _ file: DownloadFile,
        error: BluebonnetError? = nil
    ) -> TaskRun.Event? {
        guard wantsFile, let record = DownloadContinuation(delegate, download).record(of: result)
        else {
            remove(file, error: error)
            return nil
        }
        download.state.withLock { state in
            state.response.stage = .settled
            state.resumeData = record.data
        }
        return .settled(error)
    }

    /// Chooses the location of the complete file; without one, it stays in place until the handler
    /// returns.
    private func findPlace() -> TaskRun.Event {
        guard let file = download.openFile else { return .settled(nil) }
        delegate.emit(.finishedDownloading(file.url))
        let asked = (task as? DownloadTask).flatMap { task in
            manager?.downloadTaskDidFinishDownloading(task, location: file.url)
        }
        download.state.withLock { $0.finalPlace = asked ?? $0.place ?? nil }
        return .commit
    }

    /// Moves the complete file to its location; a cancellation has no effect from here on.
    func moveFile() -> TaskRun.Event? {
        let (stage, place) = download.state.withLock { ($0.response.stage, $0.finalPlace) }
        guard case .open(let file) = stage else { return .settled(nil) }
        guard let place else {
            download.state.withLock { $0.fileURL = file.url }
            return .settled(nil)
        }
        file.move(to: place, options: download.options) { result in
            goOn { fileWasMoved(result, file) }
        }
        return nil
    }

    private func fileWasMoved(
        _ result: Result<URL, FileFailure>, _ file: DownloadFile
    ) -> TaskRun.Event? {
        switch result {
        case .success(let url):
            download.state.withLock { state in
                state.fileURL = url
                state.response.stage = .settled
            }
            delegate.emit(.movedFile(url))
            return .settled(nil)
        case .failure(let failure):
            delegate.emit(.failedToMoveFile(failure))
            download.state.withLock { $0.response.stage = .settling }
            keep(file, error: .file(failure, .init()))
            return nil
        }
    }
}

extension Exchange.Failure {
    fileprivate static func unrequestedPart(_ head: ResponseHead) -> Self {
        let range = head.headers["Content-Range"].map { " (\($0.quoted))" } ?? ""
        return Self(
            .cannotParseResponse,
            message: """
                the server sent only a part of the file\(range), although all of it was requested
                """)
    }

    fileprivate static func cutShort(_ length: Int64, _ expected: Int64) -> Self {
        Self(
            .networkConnectionLost,
            message: "the file has \(length) bytes, but the server announced \(expected)"
        )
    }
}
