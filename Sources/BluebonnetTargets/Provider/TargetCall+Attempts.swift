import BluebonnetChain

/// An interceptor that lets the plugins of a call prepare the request of each attempt.
///
/// It runs after the session's interceptors.
struct TargetInterceptor: RequestInterceptor {
    let call: TargetCall

    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        try await call.adapt(urlRequest, of: state.request)
    }
}

extension TargetCall {
    /// Prepares the request of an attempt with the plugins, and notifies them that it is sent.
    ///
    /// They are not notified if the call shares the exchange of another call.
    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        var urlRequest = urlRequest
        for plugin in terms.plugins {
            do {
                urlRequest = try await plugin.prepare(urlRequest, target: target)
            } catch {
                try Task.checkCancellation()
                state.withLock { $0.pluginFailure = (.underlying(error, nil), request.retryCount) }
                throw error
            }
            // The attempt might have ended meanwhile.
            try Task.checkCancellation()
        }
        if try joins(urlRequest, request) { return urlRequest }
        if let sample { request.delegate.answer(by: .transport(sample)) }
        let isFirst = try state.withLock { state in
            if state.hasEnded { throw CancellationError() }
            defer { state.isSent = true }
            return !state.isSent
        }
        let sent = PreparedRequest(request: urlRequest, handle: request)
        for plugin in terms.plugins {
            plugin.willSend(sent, target: target)
            if isFirst { (plugin as? any CallObserver)?.callDidBegin(target) }
        }
        return urlRequest
    }

    /// Joins the exchange of an equal call, and returns whether that exchange answers this call.
    private func joins(_ urlRequest: URLRequest, _ request: Request) throws -> Bool {
        guard let shared = terms.shared, shared.accepts(urlRequest, task)
        else { return false }
        // Retries belong to the shared exchange. A call whose leader was canceled joins or leads
        // again.
        if case .leads? = state.withLock({ $0.share }) { return false }
        leave()?.cancel()
        state.withLock { $0.share = nil }
        let distinctions = terms.plugins.map {
            ($0 as? any CallDistinguisher)?.distinction(of: target)
        }
        let key = SharedExchanges.Key(
            request.delegate.withoutSpan(urlRequest), acceptedCodes: acceptedCodes ?? [],
            isStubbed: sample != nil,
            distinctions: distinctions)
        let share = shared.join(key, with: request, of: self)
        let isWanted = state.withLock { state in
            guard !state.isCancelled, !state.hasEnded else { return false }
            (state.share, state.hasLeft) = (share, false)
            return true
        }
        guard isWanted else {
            shared.leave(share)?.cancel()
            throw CancellationError()
        }
        guard case .joined(let exchange) = share else { return false }
        request.delegate.answer(by: .outcome(of: exchange.request.delegate))
        return true
    }
}
