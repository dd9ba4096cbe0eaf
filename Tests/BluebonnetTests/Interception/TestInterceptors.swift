import Foundation
import FoundationNetworking

import Bluebonnet

/// An interceptor that keeps a log and runs the given closures.
final class LoggingInterceptor: RequestInterceptor {
    let log: Recorder<String>
    private let name: String
    private let adaption: @Sendable (URLRequest, RequestAdapterState) async throws -> URLRequest
    private let answer: @Sendable (Request, BluebonnetError) async -> RetryResult

    init(
        _ name: String = "x", log: Recorder<String> = Recorder(),
        adapt: @escaping @Sendable (URLRequest, RequestAdapterState) async throws -> URLRequest = {
            request, _ in request
        },
        retry: @escaping @Sendable (Request, BluebonnetError) async -> RetryResult = { _, _ in
            .doNotRetry
        }
    ) {
        self.name = name
        self.log = log
        adaption = adapt
        answer = retry
    }

    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        log.add("\(name) adapt \(state.attempt)")
        return try await adaption(urlRequest, state)
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        log.add("\(name) retry \(request.attemptNumber)")
        guard let error = error as? BluebonnetError else { return .doNotRetryWithError(error) }
        return await answer(request, error)
    }

    func attemptDidEnd(_ attempt: EndedAttempt) {
        let outcome = attempt.error.map { "\($0.stage)" } ?? "good"
        log.add("\(name) end \(attempt.number) \(outcome)")
    }
}

struct TestError: Error, CustomStringConvertible {
    var description: String { "made for the test" }
}

extension URLRequest {
    /// Returns the request with the adapter's name appended to a header field.
    func stamped(_ name: String) -> URLRequest {
        var request = self
        request.addValue(name, forHTTPHeaderField: "X-Stamp")
        return request
    }
}
