import Bluebonnet

/// Makes the manager of a fetch from its options.
enum FetchManager {
    static func make(
        _ options: FetchOptions, target: FetchTarget, login: FetchOptions.Login?,
        report: FetchReport
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration.default
        // As in curl.
        configuration.cookies = .off
        configuration.timeouts.whole = options.timeout
        configuration.maximumAttempts = options.retryLimit + 1
        let api = HTTPSessionManager(configuration: configuration)
        api.interceptors = retriers(limit: options.retryLimit)
        let follows = options.followsRedirects
        api.taskWillPerformHTTPRedirection = { _, head, request in
            guard follows else { return nil }
            report.redirect(head, to: request)
            return request
        }
        if let login { logIn(login, at: target.url, of: api) }
        api.addMonitor(of: [.willRetry]) { events in
            for event in events {
                guard case .willRetry(let seconds, let error) = event.kind else { continue }
                report.retry(target.name, after: seconds, because: error)
            }
        }
        return api
    }

    /// Returns retriers, which are also asked about statuses that the task accepts.
    private static func retriers(limit: Int) -> [any RequestInterceptor] {
        guard limit > 0 else { return [] }
        return [
            RetryPolicy(
                retryLimit: UInt(limit),
                retryableHTTPStatusCodes: RetryPolicy.serverRetryableHTTPStatusCodes,
                maximumDelay: RetryPolicy.serverMaximumDelay,
                maximumRetryAfter: RetryPolicy.serverMaximumRetryAfter)
        ]
    }

    /// Answers Digest challenges of the URL's origin; Basic is sent with the request, as in curl.
    private static func logIn(
        _ login: FetchOptions.Login, at url: URL, of api: HTTPSessionManager
    ) {
        api.didReceiveChallenge = { _, challenge in
            guard challenge.scheme == .digest, !challenge.isProxy,
                challenge.previousFailureCount == 0, challenge.url.scheme == url.scheme,
                challenge.host == url.host?.lowercased(), challenge.url.port == url.port
            else { return .performDefaultHandling }
            return .useCredential(
                URLCredential(
                    user: login.user, password: login.password ?? "", persistence: .none))
        }
    }
}
