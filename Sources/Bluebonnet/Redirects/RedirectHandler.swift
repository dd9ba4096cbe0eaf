public import FoundationNetworking

/// Decides about the redirects of tasks, one after the other.
///
/// Use one for a call with `.redirects(.handler(handler))`, or for all tasks of a manager with
/// ``SessionManager/setRedirectHandler(_:)``. Implement one of its methods. The default of each calls the other, and
/// a handler that implements neither follows none: a method of another signature is never called.
public protocol RedirectHandler: Sendable {
    /// Returns the request to send next.
    ///
    /// It is asked once for each redirect, in a Swift task of its own, and holds up its own task alone. It has as long as
    /// its task: there is no other time limit. What belongs to
    /// the origin of `request`, such as `Authorization`, is not sent to another origin that the handler chooses.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - request: The request that would follow.
    ///   - response: The redirect.
    /// - Returns: The request to send; nil makes the redirect the response of the task.
    func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse
    ) async -> URLRequest?

    /// Passes the request to send next to a closure, which is called once; further calls are ignored.
    func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void)
}

extension RedirectHandler {
    /// Calls the completion form if that is implemented, and does not follow the redirect otherwise.
    public func task(
        _ task: SessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse
    ) async -> URLRequest? {
        do {
            let answer: URLRequest?? = try await InterceptorBridge.ask(self, .redirect) {
                complete in
                self.task(
                    task, willBeRedirectedTo: request, for: response, completion: complete)
            }
            // A handler of neither form may be a ported one that was to keep requests from other hosts.
            return answer ?? nil
        } catch {
            // The task has ended.
            return nil
        }
    }

    /// Calls the `async` form if that is implemented, and does not follow the redirect otherwise.
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
    /// The rule of a handler.
    ///
    /// - Parameter handler: Decides about the redirects. It takes the place of the manager's.
    /// - Returns: The rule, for the option `.redirects`.
    public static func handler(_ handler: any RedirectHandler) -> RedirectRule {
        if let rule = (handler as? Redirector)?.rule { return rule }
        return .decide { head, request in
            // A task that nobody holds any more has ended.
            guard let task = RedirectStage.decidedTask else { return nil }
            return await handler.task(
                task, willBeRedirectedTo: request, for: head.httpURLResponse)
        }
    }
}

extension SessionManager {
    /// Has a handler decide about redirects, for tasks without a rule of their own.
    ///
    /// It is the manager's hook ``taskWillPerformHTTPRedirection(_:head:newRequest:)``, whose closure it replaces.
    ///
    /// - Parameter handler: The handler; nil for none, so that redirects are followed.
    public func setRedirectHandler(_ handler: (any RedirectHandler)?) {
        guard let handler else { return taskWillPerformHTTPRedirection = nil }
        taskWillPerformHTTPRedirection = { task, head, request in
            await handler.task(task, willBeRedirectedTo: request, for: head.httpURLResponse)
        }
    }
}
