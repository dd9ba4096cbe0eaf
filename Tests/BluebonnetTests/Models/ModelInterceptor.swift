import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking

import Bluebonnet

/// Answers late and at random, and records the attempts of its calls.
final class ModelInterceptor: RequestInterceptor {
    private struct Attempt: Hashable {
        let request: UUID
        let number: Int
    }

    private struct Account {
        var begun = 0
        var asked = 0
        var ended = 0
    }

    private let gate: HookGate
    private let accounts = Locked<[Attempt: Account]>([:])

    init(_ gate: HookGate) { self.gate = gate }

    /// What is wrong with a recorded attempt, or nil.
    var fault: String? {
        accounts.withLock { accounts in
            for (attempt, account) in accounts {
                guard account.begun == 1, account.ended == 1, account.asked <= 1 else {
                    return "attempt \(attempt.number) was \(account)"
                }
            }
            return nil
        }
    }

    private func note(_ request: UUID, _ number: Int, _ field: WritableKeyPath<Account, Int>) {
        let attempt = Attempt(request: request, number: number)
        accounts.withLock { $0[attempt, default: Account()][keyPath: field] += 1 }
    }

    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        note(state.requestID, state.attempt, \.begun)
        await gate.pass()
        if gate.draw(12) == 0 { throw TestError() }
        return urlRequest
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        note(request.id, request.attemptNumber, \.asked)
        await gate.pass()
        switch gate.draw(6) {
        case 0: return .doNotRetryWithError(error)
        case 1: return .retryWithDelay(0.001)
        case 2, 3: return .retry
        default: return .doNotRetry
        }
    }

    func attemptDidEnd(_ attempt: EndedAttempt) {
        note(attempt.request.id, attempt.number, \.ended)
    }
}
