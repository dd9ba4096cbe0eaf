import BluebonnetTransport
import Foundation
import FoundationNetworking

// A download, on the callback queue: its file is opened when the head is accepted, written while
// the body comes, and moved when all of it is there.
extension TaskDelegate {
    // MARK: Opening

    /// Opens the file of an accepted response.
    func begin(_ download: Download, _ head: ResponseHead) {
        let place = download.place(for: head)
        download.state.withLock { state in
            state.stage = .opening
            state.expectedLength = head.isUncoded ? head.expectedContentLength : nil
        }
        DownloadFile.open(
            in: download.directory(for: place),
            options: download.options,
            fileSystem: download.fileSystem,
            failureHandler: failureHandler
        ) { [options = download.options] result in
            // Told now rather than when all has been received; the move looks again.
            self.fileDidOpen(result.flatMap { $0.refusing(place, options) })
        }
    }

    /// Opens what an earlier download left, to go on behind it.
    func continueFile(
        _ download: Download, _ record: ResumeRecord, total: Int64, _ head: ResponseHead
    ) {
        _ = download.place(for: head)
        download.state.withLock { state in
            state.stage = .opening
            state.expectedLength = total
            state.resumption = (record.offset, total)
            // What explains that there is no more is not a part of the file.
            state.dropsBody = head.statusCode == 416
        }
        state.withLock { state in
            state.isFlowing = true
            state.receiving.begin(total: total, completed: record.offset)
        }
        DownloadFile.open(
            record.partial, fileSystem: download.fileSystem, failureHandler: failureHandler
        ) { result in
            switch result {
            case .success: self.fileDidOpen(result)
            case .failure:
                // It is not what was left there: all of it is asked for again.
                self.session.send(.answer { $0.startOver(download) }, to: self.address)
            }
        }
    }

    private var failureHandler: @Sendable (FileFailure) -> Void {
        { [weak self] failure in
            guard let self else { return }
            session.send(.answer { $0.abort(with: .file(failure, .init())) }, to: address)
        }
    }

    private func fileDidOpen(_ result: Result<DownloadFile, FileFailure>) {
        session.send(
            .answer { delegate in
                switch result {
                case .success(let file): delegate.fileIsOpen(file)
                case .failure(let failure): delegate.fileDidNotOpen(failure)
                }
            },
            to: address
        )
    }

    private func fileIsOpen(_ file: DownloadFile) {
        guard let download = state.withLock({ $0.download }) else { return }
        let (pending, isOver, ending, resumption) = download.state.withLock { state in
            state.stage = .open(file)
            defer { state.pending = [] }
            return (
                state.pending, state.isResponseOver, state.ending.take(), state.resumption.take()
            )
        }
        if let resumption, let manager, let task = task as? DownloadTask {
            manager.downloadTaskDidResume(
                task, fileOffset: resumption.offset, expectedTotalBytes: resumption.total
            )
        }
        if !pending.isEmpty { write(pending, to: file) }
        if let ending { return complete(with: ending.error) }
        if isOver { finish(download, file) }
    }

    private func fileDidNotOpen(_ failure: FileFailure) {
        let ending = state.withLock { $0.download }?.state.withLock { state in
            state.stage = .settled
            return state.ending.take()
        }
        if let ending { return complete(with: ending.error) }
        abort(with: .file(failure, .init()))
    }

    /// Gives this response up and asks for the whole, from its beginning.
    func startOver(_ download: Download) {
        download.forgetRecord()
        let ending = download.state.withLock { state in
            state.stage = .notBegun
            defer { state.ending = nil }
            state.pending = []
            state.dropsBody = false
            state.isResponseOver = false
            state.resumption = nil
            return state.ending
        }
        if let ending { return complete(with: ending.error) }
        let exchange = state.withLock { state in
            state.isFlowing = false
            state.startsOver = true
            return state.lifecycle.giveUpExchange()
        }
        switch exchange {
        case .cancel(let transfer): transfer?.cancel()
        case .over: exchangeIsOver()
        }
    }

    // MARK: Writing

    func write(_ chunks: [Exchange.Chunk], to download: Download) {
        let (file, isDropped): (DownloadFile?, Bool) = download.state.withLock { state in
            guard !state.dropsBody else { return (nil, true) }
            switch state.stage {
            case .open(let file): return (file, false)
            case .opening: state.pending += chunks
            case .notBegun, .settling, .settled: break
            }
            return (nil, false)
        }
        if let file { write(chunks, to: file) }
        if isDropped { didConsume(chunks) }
    }

    private func write(_ chunks: [Exchange.Chunk], to file: DownloadFile) {
        file.write(chunks) { [self] count in
            didConsume(count)
            session.send(.answer { $0.didWrite(Int64(count)) }, to: address)
        }
    }

    private func didWrite(_ count: Int64) {
        let (report, total, expected) = state.withLock { state in
            let total = state.receiving.completed + count
            let report = state.receiving.advance(to: total, controlling: self)
            return (report, total, state.receiving.total)
        }
        if let report { report.handler(report.progress) }
        guard session.activeHooks.contains(anyOf: .writing), let manager,
            let task = task as? DownloadTask
        else {
            return
        }
        manager.downloadTaskDidWriteData(
            task,
            bytesWritten: count,
            totalBytesWritten: total,
            totalBytesExpectedToWrite: expected
        )
    }

    // MARK: The end of the response

    /// Finishes the file as soon as it is open and all is written.
    func finish(_ download: Download) {
        let file: DownloadFile? = download.state.withLock { state in
            state.isResponseOver = true
            guard case .open(let file) = state.stage else { return nil }
            return file
        }
        if let file { finish(download, file) }
    }

    private func finish(_ download: Download, _ file: DownloadFile) {
        file.finish { [self] result in
            session.send(.answer { $0.fileIsComplete(result, file, download) }, to: address)
        }
    }

    private func fileIsComplete(
        _ result: Result<Int64, FileFailure>,
        _ file: DownloadFile,
        _ download: Download
    ) {
        let report = state.withLock { state in
            state.receiving.end(controlling: self)
        }
        if let report { report.handler(report.progress) }
        switch result {
        case .failure(let failure): complete(with: .file(failure, .init()))
        case .success(let length):
            let expected = download.state.withLock { $0.expectedLength }
            guard expected == nil || expected == length else {
                return complete(with: .transport(.cutShort(length, expected ?? 0), .init()))
            }
            place(file, of: download)
        }
    }

    /// Moves the file to where the hook or the caller wants it; without either it stays where it is
    /// until the handler has returned.
    private func place(_ file: DownloadFile, of download: Download) {
        let asked = (task as? DownloadTask).flatMap { task in
            manager?.downloadTaskDidFinishDownloading(task, location: file.url)
        }
        let place = asked ?? download.state.withLock { $0.place ?? nil }
        // From here on a cancel comes too late: half of a move cannot be taken back.
        guard state.withLock({ $0.lifecycle.commit() }) else { return complete(with: nil) }
        guard let place else {
            download.state.withLock { $0.fileURL = file.url }
            return complete(with: nil)
        }
        file.move(to: place, options: download.options) { [self] result in
            session.send(.answer { $0.fileWasMoved(result, download) }, to: address)
        }
    }

    private func fileWasMoved(_ result: Result<URL, FileFailure>, _ download: Download) {
        switch result {
        case .success(let url):
            download.state.withLock { state in
                state.fileURL = url
                state.stage = .settled
            }
            post(.downloadDidMoveFile)
            complete(with: nil)
        case .failure(let failure):
            post(.downloadDidFailToMoveFile, MoveFailure(failure))
            complete(with: .file(failure, .init()))
        }
    }

    private func post(
        _ event: NotificationNames.Event, _ content: (any NotificationContent)? = nil
    ) {
        guard let task else { return }
        session.notifications.post(event, of: task, content)
    }
}

extension DownloadFile {
    /// Itself, unless something is at the destination that may not be replaced.
    fileprivate func refusing(
        _ place: URL?,
        _ options: DownloadOptions
    ) -> Result<DownloadFile, FileFailure> {
        guard let place, !options.contains(.removePreviousFile),
            FileManager.default.fileExists(atPath: place.path)
        else { return .success(self) }
        return .failure(FileFailure(.move, path: place.path, error: SystemError(EEXIST)))
    }
}

extension Exchange.Failure {
    fileprivate static func cutShort(_ length: Int64, _ expected: Int64) -> Self {
        Self(
            .networkConnectionLost,
            message: "the file has \(length) bytes instead of the \(expected) that were announced"
        )
    }
}

/// What observers hear of a move that failed.
private final class MoveFailure: NotificationContent {
    private let failure: FileFailure

    init(_ failure: FileFailure) {
        self.failure = failure
    }

    var userInfo: [AnyHashable: Any] { [SessionTask.NotificationKey.error: failure] }
}
