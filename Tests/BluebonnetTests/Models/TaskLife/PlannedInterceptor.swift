import Bluebonnet
import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Adapts and retries as a plan says, and counts its calls.
final class PlannedInterceptor: RequestInterceptor {
    struct Account {
        var begun = 0
        var asked = 0
        var ended = 0
        /// Whether a retrier is being asked.
        var isAsking = false
        /// Whether the task was suspended meanwhile, so that no attempt may begin.
        var isHeld = false
        var fault: String?
    }

    private let plan: TaskLifePlan
    private let questions: Occasions
    private let state = Locked(Account())

    init(_ plan: TaskLifePlan, _ questions: Occasions) {
        (self.plan, self.questions) = (plan, questions)
    }

    /// Called after the task was suspended.
    func hold() { state.withLock { $0.isHeld = $0.isAsking } }

    /// Called before the task is resumed.
    func release() { state.withLock { $0.isHeld = false } }

    var account: Account { state.withLock { $0 } }
    var fault: String? { account.fault }
    /// Whether every attempt has ended.
    var isSettled: Bool { state.withLock { $0.begun == $0.ended } }

    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        self.state.withLock { account in
            account.begun += 1
            if account.isHeld { account.fault = "an attempt of a suspended task began" }
            if state.attempt != account.begun {
                account.fault = "attempt \(state.attempt) is adapted as number \(account.begun)"
            }
        }
        questions.next()
        await plan.adapterPace.pass()
        return urlRequest
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        let number = state.withLock { account in
            account.asked += 1
            account.isAsking = true
            if account.asked != account.begun {
                account.fault = "question \(account.asked) in attempt \(account.begun)"
            }
            return account.begun - 1
        }
        questions.next()
        await plan.retrierPace.pass()
        state.withLock { $0.isAsking = false }
        let isRetried =
            plan.attempts.indices.contains(number) && plan.attempts[number].isRetried
            && number + 1 < plan.attempts.count
        return isRetried ? .retry : .doNotRetry
    }

    func attemptDidEnd(_ attempt: EndedAttempt) {
        state.withLock { account in
            account.ended += 1
            if account.ended > account.begun { account.fault = "an attempt ended twice" }
        }
    }
}
