public import FoundationNetworking

/// A type that decides whether a task follows a redirect, and with which request.
///
/// Use a handler for one call with `.redirects(.handler(handler))`, or for all tasks of a manager
/// with ``SessionManager/setRedirectHandler(_:)``.
///
/// Implement one of the two methods. The default implementation of each calls the other. A handler
/// that implements neither follows no redirect. A method with a different signature is never
/// called.
public protocol RedirectHandler: Sendable {
    /// Returns the request to send next.
    ///
    /// The method is called once for each redirect, in its own Swift task, and delays only the task
    /// that is redirected. It has no time limit other than the task's deadline.
    ///
    /// Fields that belong to the origin of `request`, such as `Authorization`, are removed from a
    /// request to another origin unless the handler changed them.
    ///
    /// - Parameters:
    ///   - task: The task that received the redirect.
    ///   - request: The proposed request.
    ///   - response: The redirect.
    /// - Returns: The request to send, or nil to make the redirect the response of the task.
    func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse
    ) async -> URLRequest?

    /// Passes the request to send next to a closure.
    ///
    /// Call the closure once. Further calls are ignored.
    func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void)
}

extension RedirectHandler {
    /// Calls the completion form if it is implemented; otherwise does not follow the redirect.
    public func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse
    ) async -> URLRequest? {
        do {
            let answer: URLRequest?? = try await InterceptorBridge.ask(self, .redirect) {
                complete in
                self.task(
                    task, willBeRedirectedTo: request, for: response, completion: complete)
            }
            // A handler with neither form might be ported code that blocks other hosts.
            return answer ?? nil
        } catch {
            // The task has ended.
            return nil
        }
    }

    /// Calls the `async` form if it is implemented; otherwise does not follow the redirect.
    public func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .redirect) else { return }
        Task {
            completion(await self.task(task, willBeRedirectedTo: request, for: response))
        }
    }
}

extension RedirectRule {
    /// Returns a rule that lets a handler decide.
    ///
    /// - Parameter handler: The handler, which replaces the manager's redirect handler or hook.
    /// - Returns: The rule, for the option `.redirects`.
    public static func handler(_ handler: any RedirectHandler) -> RedirectRule {
        if let rule = (handler as? Redirector)?.rule { return rule }
        return .decide { head, request in
            // A task that has been released has ended.
            guard let task = RedirectStage.decidedTask else { return nil }
            return await handler.task(
                task, willBeRedirectedTo: request, for: head.httpURLResponse)
        }
    }
}

extension SessionManager {
    /// Sets the redirect handler for tasks without their own rule.
    ///
    /// The handler replaces the closure of the hook
    /// ``taskWillPerformHTTPRedirection(_:head:newRequest:)``.
    ///
    /// - Parameter handler: The handler, or nil to follow redirects.
    public func setRedirectHandler(_ handler: (any RedirectHandler)?) {
        guard let handler else { return taskWillPerformHTTPRedirection = nil }
        taskWillPerformHTTPRedirection = { task, head, request in
            await handler.task(task, willBeRedirectedTo: request, for: head.httpURLResponse)
        }
    }
}
