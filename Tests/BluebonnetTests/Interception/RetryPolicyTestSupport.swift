import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

/// A request to ask policies about without sending anything.
struct AskedRequest {
    let rig: StubRig
    private let task: DataTask
    let request: Request

    init(
        _ method: String = "GET", key: String? = nil, url: String = "http://a.test/b",
        clock: ManualClock = ManualClock()
    ) throws {
        rig = StubRig(clock: clock)
        var urlRequest = URLRequest(url: try #require(URL(string: url)))
        urlRequest.httpMethod = method
        if let key { urlRequest.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        task = rig.manager.dataTask(with: urlRequest) { _ in }
        request = task
    }

    /// Creates a request whose retries have failed.
    init(afterRetries count: Int) async {
        rig = StubRig { $0.maximumAttempts = count + 1 }
        rig.manager.interceptors = [Retrier(async: { _, _, _ in .retry })]
        rig.stub.on("/**", .status(503))
        task = rig.task()
        request = task
        task.resume()
        _ = await rig.response
    }

    /// Returns the delay before a policy's retry, or nil if it does not retry.
    func delay(_ policy: RetryPolicy, _ error: any Error) async -> TimeInterval? {
        switch await policy.retry(request, for: rig.manager, dueTo: error) {
        case .retry: 0
        case .retryWithDelay(let delay): delay
        case .doNotRetry, .doNotRetryWithError: nil
        }
    }

    func isRetried(by policy: RetryPolicy, _ error: any Error) async -> Bool {
        await delay(policy, error) != nil
    }
}

extension BluebonnetError {
    /// Returns the error of a response that is not accepted.
    static func status(_ code: Int, _ headers: HTTPHeaders = [:]) -> Self {
        let head = ResponseHead(
            statusCode: code, headers: headers, url: URL(filePath: "/"), requestMethod: "GET")
        return .unacceptableStatus(code, Context(head: head))
    }

    /// Returns the error of an exchange that fails with a code.
    static func failed(_ code: URLError.Code) -> Self {
        .transport(Exchange.Failure(code, message: "the test failed it"), Context())
    }
}

extension Rig where Wire == StubTransport {
    /// Gets `/a` while the clock runs, and returns the error of the task.
    func get(_ options: RequestOptions = [], on clock: ManualClock) async -> BluebonnetError? {
        await send(.get, options, on: clock)
    }

    /// Sends a request to `/a` while the clock runs, and returns the error of the task.
    func send(
        _ method: HTTPMethod, headers: HTTPHeaders? = nil, _ options: RequestOptions = [],
        on clock: ManualClock
    ) async -> BluebonnetError? {
        await clock.run { [manager] in
            await manager.response(
                method, "a", headers: headers, serializer: .manager, options: options
            ).error
        }
    }

    /// The arrival times of the requests, in seconds.
    var requestTimes: [TimeInterval] { stub.requests.map { $0.time / .seconds(1) } }
}
