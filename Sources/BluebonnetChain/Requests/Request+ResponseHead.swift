public import Bluebonnet

extension Request {
    /// The decision about a response whose head has arrived.
    public typealias ResponseDisposition = Bluebonnet.ResponseDisposition

    /// Sets a closure that receives the head of each attempt's response.
    ///
    /// If you call `onHTTPResponse` methods several times, the last closure is used.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - handler: Called with the head. The request does not wait for it.
    /// - Returns: The request.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        setHeadHandler(queue, handler)
    }

    /// Sets a closure that receives the head of each attempt's response and decides about the
    /// response.
    ///
    /// The body is not delivered before the closure answers. The only time limit is the deadline of
    /// the request. If you call `onHTTPResponse` methods several times, the last closure is used.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - handler: Called with the head and a completion handler. Only the first call of the
    ///     completion handler counts. `.cancel` cancels the request.
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

    /// Sets a closure that receives the head of each attempt's response.
    ///
    /// The body is not delivered before the closure returns. If you call `onHTTPResponse` methods
    /// several times, the last closure is used.
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

    /// Sets a closure that receives the head of each attempt's response and decides about the
    /// response.
    ///
    /// The body is not delivered before the closure returns. If you call `onHTTPResponse` methods
    /// several times, the last closure is used.
    ///
    /// - Parameter handler: Called with the head. `.cancel` cancels the request.
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
        // Weak, because the delegate holds the closure.
        delegate.setHeadHandler(
            .tell { [weak delegate] head in
                delegate?.call(on: queue) { handler(head.httpURLResponse) }
            })
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
            // If there is no answer, the task has ended.
            return (try? await answer.value) ?? .cancel
        }
    }

    func setHeadHandler(
        _ handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        delegate.setHeadHandler(.ask { await handler($0.httpURLResponse) })
        return self
    }
}
