// swift-format-ignore-file
import BluebonnetChain

// Subclasses as they are written for Alamofire, in the spellings of its releases.

final class PatientPolicy: RetryPolicy, @unchecked Sendable {
    override func retry(_ request: Request,
                        for session: Session,
                        dueTo error: any Error,
                        completion: @escaping @Sendable (RetryResult) -> Void) {
        guard request.request?.url?.path != "/never" else { return completion(.doNotRetry) }
        super.retry(request, for: session, dueTo: error, completion: completion)
    }
}

final class LostPolicy: ConnectionLostRetryPolicy, @unchecked Sendable {
    override func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping (RetryResult) -> Void) {
        completion(request.retryCount < 1 ? .retry : .doNotRetry)
    }
}

final class KeyAdapter: Adapter, @unchecked Sendable {
    override func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        var urlRequest = urlRequest
        urlRequest.headers.update(name: "X-Key", value: "k")
        super.adapt(urlRequest, for: session, completion: completion)
    }
}

final class StateAdapter: Adapter, @unchecked Sendable {
    override func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState, completion: @escaping (Result<URLRequest, any Error>) -> Void) {
        var urlRequest = urlRequest
        urlRequest.headers.update(name: "X-State", value: state.requestID.uuidString)
        completion(.success(urlRequest))
    }
}

final class OnceRetrier: Retrier, @unchecked Sendable {
    override func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void) {
        if request.retryCount == 0 {
            completion(.retry)
        } else {
            super.retry(request, for: session, dueTo: error, completion: completion)
        }
    }
}

final class WholeInterceptor: Interceptor, @unchecked Sendable {
    override func adapt(_ urlRequest: URLRequest, for session: Session, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        var urlRequest = urlRequest
        urlRequest.headers.update(name: "X-Whole", value: "w")
        super.adapt(urlRequest, for: session, completion: completion)
    }

    override func adapt(_ urlRequest: URLRequest, using state: RequestAdapterState, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        super.adapt(urlRequest, using: state, completion: completion)
    }

    override func retry(_ request: Request, for session: Session, dueTo error: any Error, completion: @escaping @Sendable (RetryResult) -> Void) {
        super.retry(request, for: session, dueTo: error, completion: completion)
    }
}

final class BodyMonitor: ClosureEventMonitor, @unchecked Sendable {
    override var interests: TaskEvent.Interests { [.completed] }
}
