import BluebonnetTransport
import Foundation
import FoundationNetworking

// The early end of a task, and what becomes of a download's file then, on the callback queue.
extension TaskDelegate {
    /// Ends the exchange under way, and the task with it.
    func abort(with error: BluebonnetError) {
        if case .cancel(let transfer) = state.withLock({ $0.lifecycle.giveUpExchange() }) {
            transfer?.cancel()
        }
        complete(with: error)
    }

    /// Settles what becomes of a failed download's file before the task completes: it is kept where
    /// it can be gone on with and somebody may want that, else removed.
    ///
    /// False when there is nothing to settle; else the task completes when that is done.
    func settles(_ error: BluebonnetError?) -> Bool {
        guard let download = state.withLock({ $0.download }), error != nil || isCanceling else {
            return false
        }
        let wantsFile = wantsFile
        let (file, isUnderWay): (DownloadFile?, Bool) = download.state.withLock { state in
            switch state.stage {
            case .settling: return (nil, true)
            case .open(let file):
                state.stage = wantsFile ? .settling : .settled
                return (file, false)
            case .opening where wantsFile && !state.pending.isEmpty:
                if state.ending == nil { state.ending = Download.Ending(error: error) }
                return (nil, true)
            case .notBegun, .opening, .settled:
                state.stage = .settled
                return (nil, false)
            }
        }
        guard let file else { return isUnderWay }
        guard wantsFile else {
            remove(file, of: download)
            return false
        }
        file.keep(options: download.options) { [self] result in
            session.send(
                .answer { $0.fileWasKept(result, file, download, error) }, to: address
            )
        }
        return true
    }

    private var isCanceling: Bool { state.withLock { $0.lifecycle.phase == .canceling } }

    /// Whether what has come so far may be gone on with: a cancel throws it away unless told not to.
    private var wantsFile: Bool {
        state.withLock { state in
            state.lifecycle.phase != .canceling || !state.resumeDataHandlers.isEmpty
        }
    }

    private func fileWasKept(
        _ result: Result<PartialFile, FileFailure>,
        _ file: DownloadFile,
        _ download: Download,
        _ error: BluebonnetError?
    ) {
        let head = state.withLock { $0.head }
        download.state.withLock { $0.stage = .settled }
        if wantsFile, let head, let originalRequest, let partial = try? result.get(),
            let record = ResumeRecord.make(from: head, request: originalRequest, file: partial)
        {
            download.state.withLock { $0.resumeData = record.data }
        } else {
            remove(file, of: download)
        }
        complete(with: error)
    }

    private func remove(_ file: DownloadFile, of download: Download) {
        download.state.withLock { $0.resumeData = nil }
        file.discard()
    }
}
