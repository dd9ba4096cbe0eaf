import Foundation
import FoundationNetworking

import Bluebonnet

/// A subclass of a class of the library that overrides one form of each method.
enum FormSubclass: CaseIterable {
    typealias Adapted = @Sendable (Result<URLRequest, any Error>) -> Void
    typealias Decided = @Sendable (RetryResult) -> Void

    case completionAdapter, asyncAdapter, completionRetrier, asyncRetrier
    case completionInterceptor, asyncInterceptor, completionPolicy, asyncPolicy
    case completionLost

    /// Returns an interceptor whose own behavior is to stamp `own`, and to retry once.
    func make() -> OpenInterceptor {
        let stamp: AdaptHandler = { request, _, completion in
            completion(.success(request.stamped("own")))
        }
        let retry: RetryHandler = { request, _, _, completion in
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }
        return switch self {
        case .completionAdapter: CompletionAdapter(stamp)
        case .asyncAdapter: AsyncAdapter(stamp)
        case .completionRetrier: CompletionRetrier(retry)
        case .asyncRetrier: AsyncRetrier(retry)
        case .completionInterceptor:
            CompletionInterceptor(adaptHandler: stamp, retryHandler: retry)
        case .asyncInterceptor: AsyncInterceptor(adaptHandler: stamp, retryHandler: retry)
        case .completionPolicy: CompletionPolicy(retryLimit: 1)
        case .asyncPolicy: AsyncPolicy(retryLimit: 1)
        case .completionLost: CompletionLost(retryLimit: 1)
        }
    }
}

extension FormSubclass {
    final class CompletionAdapter: Adapter, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("for"), for: session, completion: completion) }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("using"), using: state, completion: completion) }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) { completion(request.retryCount < 1 ? .retry : .doNotRetry) }
    }

    final class AsyncAdapter: Adapter, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("for"), for: session)
        }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("using"), using: state)
        }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult { request.retryCount < 1 ? .retry : .doNotRetry }
    }

    final class CompletionRetrier: Retrier, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("for,own"), for: session, completion: completion) }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("using"), using: state, completion: completion) }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) { super.retry(request, for: session, dueTo: error, completion: completion) }
    }

    final class AsyncRetrier: Retrier, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("for,own"), for: session)
        }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("using"), using: state)
        }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult { await super.retry(request, for: session, dueTo: error) }
    }

    final class CompletionInterceptor: Interceptor, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("for"), for: session, completion: completion) }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("using"), using: state, completion: completion) }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) { super.retry(request, for: session, dueTo: error, completion: completion) }
    }

    final class AsyncInterceptor: Interceptor, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("for"), for: session)
        }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("using"), using: state)
        }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult { await super.retry(request, for: session, dueTo: error) }
    }

    final class CompletionPolicy: RetryPolicy, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("for,own"), for: session, completion: completion) }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("using"), using: state, completion: completion) }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) { super.retry(request, for: session, dueTo: error, completion: completion) }
    }

    final class AsyncPolicy: RetryPolicy, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("for,own"), for: session)
        }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            try await super.adapt(urlRequest.stamped("using"), using: state)
        }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult { await super.retry(request, for: session, dueTo: error) }
    }

    final class CompletionLost: ConnectionLostRetryPolicy, @unchecked Sendable {
        override func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("for,own"), for: session, completion: completion) }

        override func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping Adapted
        ) { super.adapt(urlRequest.stamped("using"), using: state, completion: completion) }

        override func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping Decided
        ) {
            let lost = URLError(.networkConnectionLost)
            super.retry(request, for: session, dueTo: lost, completion: completion)
        }
    }
}
