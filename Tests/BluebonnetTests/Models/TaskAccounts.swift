import BluebonnetTransport
import Foundation
import FoundationNetworking

@testable import Bluebonnet

/// The events of each of a manager's tasks, by the number in the task's description.
final class TaskAccounts: Sendable {
    struct Account: Sendable {
        var hasHandler: Bool
        var handled = 0
        var completed = 0
        /// The names of its notifications, in order.
        var notified: [String] = []

        var isOver: Bool { notified.last == "complete" && handled == (hasHandler ? 1 : 0) }

        /// Returns what is wrong with the account, or nil.
        func fault(hasManager: Bool) -> String? {
            if handled != (hasHandler ? 1 : 0) { return "its handler was called \(handled) times" }
            if completed > 1 || (hasManager && completed == 0) {
                return "taskDidComplete was called \(completed) times"
            }
            if notified.filter({ $0 == "complete" }).count != 1 || notified.last != "complete" {
                return "its notifications are \(notified)"
            }
            if notified.filter({ $0 == "cancel" }).count > 1 {
                return "it was canceled twice: \(notified)"
            }
            let flow = notified.filter { $0 == "resume" || $0 == "suspend" }
            let isInTurn = zip(flow, flow.dropFirst()).allSatisfy { $0 != $1 }
            return isInTurn ? nil : "its notifications are \(notified)"
        }
    }

    private let accounts = Locked<[Account]>([])
    private let invalidations = Locked(0)

    /// Returns the number for a new task.
    func open(hasHandler: Bool) -> Int {
        accounts.withLock { accounts in
            accounts.append(Account(hasHandler: hasHandler))
            return accounts.count - 1
        }
    }

    var all: [Account] { accounts.withLock { $0 } }
    var areOver: Bool { accounts.withLock { $0.allSatisfy(\.isOver) } }

    /// Returns whether a task has ended, or was canceled and is about to end.
    func isEnding(_ number: Int) -> Bool {
        accounts.withLock { $0[number].isOver || $0[number].notified.contains("cancel") }
    }

    /// The number of reported invalidations.
    var invalidationCount: Int { invalidations.withLock { $0 } }
    func noteInvalidation() { invalidations.withLock { $0 += 1 } }

    func noteHandler(_ number: Int) { accounts.withLock { $0[number].handled += 1 } }

    func noteCompletion(_ task: SessionTask) {
        guard let number = task.taskDescription.flatMap({ Int($0) }) else { return }
        accounts.withLock { $0[number].completed += 1 }
    }

    /// Observes the notifications of a manager's tasks, and returns the observers.
    func observe(_ queue: NotificationPoster) -> [any NSObjectProtocol] {
        let names = [
            SessionTask.didResumeNotification: "resume",
            SessionTask.didSuspendNotification: "suspend",
            SessionTask.didCancelNotification: "cancel",
            SessionTask.didCompleteNotification: "complete",
        ]
        return names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                [self] notification in
                // Tasks of other tests post notifications, too.
                guard let task = notification.object as? SessionTask,
                    task.delegate.session.audience.notifications === queue,
                    let number = task.taskDescription.flatMap({ Int($0) })
                else { return }
                accounts.withLock { $0[number].notified.append(text) }
            }
        }
    }
}
