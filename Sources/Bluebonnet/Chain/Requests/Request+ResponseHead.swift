public import Foundation
public import FoundationNetworking

extension Request {
    /// What becomes of a response whose head has arrived.
    public typealias ResponseDisposition = Bluebonnet.ResponseDisposition

    /// Hears of the head of the response, once an attempt; of several calls of any form the last counts.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for the manager's
    ///     ``SessionManager/completionQueue``.
    ///   - handler: Called with the head. Nothing waits for it.
    /// - Returns: The request.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        setHeadHandler(queue, handler)
    }

    /// Decides about the response when its head has arrived, once an attempt; of several calls of any form the last
    /// counts.
    ///
    /// The body waits for the answer. There is no time limit but the deadline.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for the manager's
    ///     ``SessionManager/completionQueue``.
    ///   - handler: Called with the head, and a closure to answer by; its first answer counts. `.cancel` cancels the
    ///     request.
    /// - Returns: The request.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue? = nil,
        perform handler:
            @escaping @Sendable (
                _ response: HTTPURLResponse,
                _ completionHandler: @escaping @Sendable (ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        setHeadHandler(queue, handler)
    }

    /// Hears of the head of the response, once an attempt; the body waits until the closure has returned.
    ///
    /// - Parameter handler: Called with the head.
    /// - Returns: The request.
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Void
    ) -> Self {
        setHeadHandler {
            await handler($0)
            return .allow
        }
    }

    /// Decides about the response when its head has arrived, once an attempt; the body waits for the answer.
    ///
    /// - Parameter handler: Called with the head; `.cancel` cancels the request.
    /// - Returns: The request.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler:
            @escaping @Sendable (_ response: HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        setHeadHandler(handler)
    }
}

extension Request {
    func setHeadHandler(
        _ queue: DispatchQueue?, _ handler: @escaping @Sendable (HTTPURLResponse) -> Void
    ) -> Self {
        // Weak, since the delegate holds it.
        let tell: @Sendable (ResponseHead) -> Void = { [weak delegate] head in
            delegate?.call(on: queue) { handler(head.httpURLResponse) }
        }
        delegate.set(\.headHandler, to: .tell(tell))
        return self
    }

    func setHeadHandler(
        _ queue: DispatchQueue?,
        _ handler:
            @escaping @Sendable (
                HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        setHeadHandler { [weak delegate] response in
            let answer = FirstAnswer<ResponseDisposition>()
            delegate?.call(on: queue) { handler(response) { answer.give(.success($0)) } }
            // Without an answer the task has ended.
            return (try? await answer.value) ?? .cancel
        }
    }

    func setHeadHandler(
        _ handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        let ask: @Sendable (ResponseHead) async -> ResponseDisposition = { head in
            await handler(head.httpURLResponse)
        }
        delegate.set(\.headHandler, to: .ask(ask))
        return self
    }
}
