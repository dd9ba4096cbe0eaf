import BluebonnetTransport
import Foundation

extension TaskDelegate {
    /// Goes on as a download's delegate, under the download's identifier (AFNetworking, S18).
    ///
    /// There is no destination but the one that ``SessionManager`` gives for its complete file.
    func becomeDownload(_ head: ResponseHead) {
        guard let manager, let former = task as? DataTask else { return complete(with: nil) }
        let download = Download(destination: nil, options: [])
        let taskIdentifier = manager.makeTaskIdentifier()
        state.withLock { state in
            state.taskIdentifier = taskIdentifier
            state.flow = .file(download)
            state.verdict = nil
            state.isFlowing = true
        }
        session.map.withLock { $0.move(self, to: taskIdentifier) }
        let task = DownloadTask(delegate: self, taskIdentifier: taskIdentifier)
        state.withLock { $0.held?.task = task }
        manager.dataTaskDidBecomeDownloadTask(former, downloadTask: task)
        begin(download, head)
    }
}
