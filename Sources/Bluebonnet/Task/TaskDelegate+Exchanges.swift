import BluebonnetTransport
import Foundation
import FoundationNetworking

// From one exchange to the next.
extension TaskDelegate {
    /// Starts the first exchange, on the thread of the first `resume()`.
    func begin(hasManager: Bool) {
        do throws(BluebonnetError) {
            guard hasManager, !session.map.withLock({ $0.isInvalidated }) else {
                throw .sessionInvalidated(.init(request: originalRequest))
            }
            let request = try setup.request.get()
            if let body = try requestBody(of: request) {
                state.withLock { $0.requestBody = body }
            }
            useKnownCredentials(for: request)
            startExchange(try exchange(for: request))
        } catch {
            session.send(.failure(error), to: address)
        }
    }

    private func requestBody(of request: URLRequest) throws(BluebonnetError) -> Exchange.Body? {
        let (given, hasStream) = (state.withLock { $0.upload }, request.httpBodyStream != nil)
        guard given != nil || hasStream else { return nil }
        let fault = state.withLock { $0.makeBodyFault() }
        guard let upload = given ?? request.multipartBody.map(UploadBody.multipart) else {
            return UploadBody.ownStream(of: request, fault)
        }
        do {
            return try upload.exchangeBody(fault)
        } catch {
            throw BluebonnetError(bodyFault: error, request: request)
        }
    }

    func exchange(for request: URLRequest) throws(BluebonnetError) -> Exchange {
        let (body, flow, hasLeftOrigin, credential) = state.withLock { state in
            (state.requestBody, state.flow, state.hasLeftOrigin, state.authenticationFields)
        }
        let pool = try setup.pools.pool(for: request, hasLeftOrigin: hasLeftOrigin)
        do {
            var request = request
            if case .file(let download) = flow { download.record?.apply(to: &request) }
            let url = request.url?.absoluteURL
            var message = try session.exchangeBuilder.message(
                of: request, to: url, hasLeftOrigin: hasLeftOrigin)
            if let body { message.body = body }
            removeProxyFields(from: &message.fields, of: request)
            try addCookies(to: &message.fields, for: request)
            // They are made of a server's words.
            for field in credential { try field.check() }
            return exchange(of: message, for: request, to: url, credential, flow, pool)
        } catch {
            throw .invalidRequest(error.description, .init(request: request, underlying: error))
        }
    }

    /// The bytes of a body up to which nobody hears of its sending before it is sent, unless somebody
    /// has asked to.
    private static let largestUnwatchedBody = 64 * 1024

    // Not inlined into what may fail, and the exchange in no closure, or the compiler would copy it.
    @inline(never)
    private func exchange(
        of message: RequestMessage,
        for request: URLRequest,
        to url: URL?,
        _ credential: [Exchange.Field],
        _ flow: BodyFlow,
        _ pool: Exchange.Pool
    ) -> Exchange {
        let isFlowing = if case .memory = flow { false } else { true }
        let isWindowed = isFlowing || session.activeHooks.contains(anyOf: [.disposition, .data])
        let tellsOfSending = session.activeHooks.contains(anyOf: .sending)
        let (priority, isSendingWatched) = state.withLock { state in
            state.isWindowed = isWindowed
            state.sending.begin(total: message.body?.length ?? -1)
            if let former = state.sent { state.formerlySent.append(former) }
            state.sent = SentRequest(message, to: url, credential: credential)
            return (state.priority, state.sending.isWatched || state.upload != nil)
        }
        var exchange = message.exchange(
            under: terms(of: request, isFlowing: isFlowing), pool: pool)
        exchange.fields.replace(credential)
        exchange.priority = priority
        // Who asks for the progress of a large body only now finds it too.
        let isLarge = message.body.map { $0.length ?? .max > Self.largestUnwatchedBody } ?? false
        exchange.reportsSending =
            message.body != nil && (isSendingWatched || tellsOfSending || isLarge)
        exchange.keepsBody = !isFlowing
        if isWindowed { exchange.receiveWindow = max(0, session.configuration.streamBufferSize) }
        return exchange
    }

    private func terms(of request: URLRequest, isFlowing: Bool) -> Exchange.Terms {
        let builder = session.exchangeBuilder
        let decides = session.activeHooks.contains(anyOf: .disposition)
        let streamedSize = session.configuration.maximumStreamedBodySize ?? .max
        // Whether it becomes a file is known with the head.
        let undecidedSize = decides ? max(builder.bodySize, streamedSize) : nil
        return builder.terms(
            of: request,
            bodySize: isFlowing ? streamedSize : undecidedSize,
            whole: builder.wholeTimeout.map(remaining)
        )
    }

    /// What is left of the time that the task has in all, whatever number of exchanges it takes.
    func remaining(of whole: TimeInterval) -> TimeInterval {
        let (start, isFirst) = state.withLock { ($0.startTime, $0.ends.isEmpty) }
        guard !isFirst else { return whole }
        let elapsed = DispatchTime.now().uptimeNanoseconds - start
        // None would be without limit.
        return max(0.001, whole - TimeInterval(elapsed) / 1_000_000_000)
    }

    func startExchange(_ exchange: consuming Exchange) {
        let number = perform { state in
            let number = state.lifecycle.willStartExchange()
            // Behind the notification of the cancel that came between.
            if number == nil { state.effects.append(.finish) }
            return number
        }
        guard let number else { return }
        let transfer = session.transport.start(exchange, sink: self)
        let untoldCount = perform { state in
            switch state.lifecycle.didStartExchange(number, transfer) {
            case .cancel(let transfer): state.effects.append(.cancel(transfer))
            case .pause(let transfer?): state.effects.append(.pause(transfer))
            default: break
            }
            return state.lifecycle.takeUntoldCount(of: number)
        }
        if untoldCount > 0 { transfer.didConsume(untoldCount) }
    }

    /// Sends another request of the same task, or the same one again.
    func resend(with request: URLRequest, followedRedirects: Int = 0) {
        do throws(BluebonnetError) {
            let exchange = try exchange(for: request)
            let isCircle = state.withLock { state in
                !state.redirected.isEmpty && state.sent.map(state.redirected.contains) == true
            }
            guard !isCircle else { throw .redirectLoop }
            let isUsedUp = state.withLock { state in
                state.redirectCount += followedRedirects
                return state.begin(request)
            }
            if isUsedUp { askForBodyStream(.bodyStreamIsUsedUp) } else { startExchange(exchange) }
        } catch {
            complete(with: error)
        }
    }

    // MARK: Body streams

    func askForBodyStream(_ failure: Exchange.Failure) {
        guard let manager, let task else { return complete(with: .transport(failure, .init())) }
        ask {
            await manager.taskNeedsNewBodyStream(task)
        } then: { delegate, factory in
            delegate.bodyStreamWasAnswered(factory, failure)
        }
    }

    private func bodyStreamWasAnswered(_ factory: BodyStreamFactory?, _ failure: Exchange.Failure) {
        guard let factory, let request = currentRequest else {
            return complete(with: .transport(failure, .init()))
        }
        do throws(BluebonnetError) {
            state.withLock { state in
                let fault = state.makeBodyFault()
                let length = state.requestBody?.length
                // Asked again should it have to be sent a third time.
                state.requestBody = .stream(
                    Exchange.BodyStream(length: length, isReplayable: false) {
                        StreamSource(length: length, factory, fault: fault)
                    }
                )
            }
            startExchange(try exchange(for: request))
        } catch {
            complete(with: error)
        }
    }
}

extension TaskState {
    /// Forgets the last response; returns whether the body that is to be sent cannot be read again.
    fileprivate mutating func begin(_ request: URLRequest) -> Bool {
        currentRequest = request
        role = .final
        isFlowing = false
        hasEnoughOfRedirect = false
        head = nil
        body.removeAll()
        guard case .stream(let stream) = requestBody else { return false }
        return !stream.isReplayable
    }
}

extension BluebonnetError {
    fileprivate static var redirectLoop: BluebonnetError {
        .redirect(
            """
            it leads in a circle, back to a request that was answered with a redirect before; the \
            server may wait for a cookie or a credential that the task does not send
            """,
            .init()
        )
    }
}
