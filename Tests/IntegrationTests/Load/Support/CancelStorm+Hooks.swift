import Bluebonnet
import Foundation
import FoundationNetworking

extension CancelStorm {
    /// Cancels in the manager's hooks, where a task's stage is known.
    func installHooks() {
        let reached: @Sendable (StormPlan.Moment, SessionTask) -> Void = { [weak self] in
            guard let text = $1.originalRequest?.value(forHTTPHeaderField: "X-Number") else {
                return
            }
            guard let number = Int(text) else { return }
            self?.reached($0, number, $1)
        }
        manager.dataTaskDidReceiveResponse = { task, _ in
            reached(.onHead, task)
            return .allow
        }
        manager.taskWillPerformHTTPRedirection = { task, _, request in
            reached(.onRedirect, task)
            await Task.yield()
            return request
        }
        manager.didReceiveChallenge = { task, _ in
            reached(.onChallenge, task)
            await Task.yield()
            return .useCredential(
                URLCredential(user: "storm", password: "secret", persistence: .none))
        }
        manager.dataTaskDidReceiveData = { task, _ in reached(.onBody, task) }
        manager.taskDidSendBodyData = { task, _, _, _ in reached(.onSending, task) }
        manager.downloadTaskDidWriteData = { task, _, _, _ in reached(.onWriting, task) }
        manager.downloadTaskDidFinishDownloading = { task, _ in
            reached(.onMoving, task)
            return nil
        }
        manager.taskDidComplete = { task, _ in reached(.onCompletion, task) }
    }
}
