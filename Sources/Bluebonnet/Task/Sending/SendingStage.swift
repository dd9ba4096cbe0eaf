import BluebonnetTransport
import FoundationNetworking

extension TaskState {
    func outgoing(_ request: URLRequest, of delegate: TaskDelegate) -> OutgoingRequest {
        let transport: (any Transport)? =
            if case .transport(let own)? = attempt.answer { own } else { nil }
        return OutgoingRequest(
            delegate: delegate, request: request, body: attempt.body,
            hasLeftOrigin: attempt.hasLeftOrigin, authentication: attempt.authentication,
            credential: attempt.answeringFields, redirected: attempt.redirected,
            keepsBody: flow.isMemory, priority: priority, connectsAnew: attempt.connectsAnew,
            attempt: run.attempt, attributes: isRareInitial ? TaskAttributes() : rare.attributes,
            cacheHandler: isRareInitial ? nil : rare.cacheHandler,
            isSendingWatched: sending.isWatched || upload != nil, transport: transport,
            number: exchange.number + 1)
    }
}

/// Builds and begins an exchange, the first one on the thread that resumes the task.
struct SendingStage: TaskStage {
    let delegate: TaskDelegate

    /// Makes the transfer of an exchange; the only method that does.
    func send(_ outgoing: consuming OutgoingRequest) {
        var outgoing = outgoing
        addCredential(to: &outgoing)
        do throws(BluebonnetError) {
            delegate.take(try made(outgoing))
        } catch {
            delegate.comeBack(with: .failed(error))
        }
    }

    private func made(
        _ outgoing: borrowing OutgoingRequest
    ) throws(BluebonnetError) -> OutgoingRequest.Made {
        let (message, pool, url) = try outgoing.message()
        try outgoing.checkAddress(of: message, in: pool)
        let credential = outgoing.credential ?? []
        let sent = SentRequest(message, to: url, credential: credential)
        guard
            outgoing.redirected.isEmpty || session.configuration.followsRepeatedRedirects
                || !outgoing.redirected.contains(sent)
        else { throw .redirectLoop }
        let transport = outgoing.transport?.countingWork(on: session.clock) ?? session.transport
        let transfer = transport.transfer(
            for: outgoing.exchange(of: message, in: pool),
            reportingTo: ExchangeReports(session, to: delegate.address, ofExchange: outgoing.number)
        )
        return OutgoingRequest.Made(
            transfer: transfer, request: outgoing.request, sent: sent,
            authentication: outgoing.authentication, credential: credential,
            bodyLength: message.body.map { $0.length ?? -1 })
    }

    /// Adds the fields of a credential that is already known, unless others answer a challenge.
    private func addCredential(to outgoing: inout OutgoingRequest) {
        guard outgoing.credential == nil,
            outgoing.authentication != nil || !session.authentication.isEmpty,
            let subject = AuthenticatedRequest(of: outgoing)
        else { return }
        var authentication =
            outgoing.authentication ?? TaskAuthentication(cache: session.authentication)
        outgoing.credential = authentication.fields(for: subject)
        outgoing.authentication = authentication
    }
}

extension BluebonnetError {
    fileprivate static var redirectLoop: BluebonnetError {
        .redirect(
            """
            it leads in a circle, back to a request that was already redirected; the server might \
            expect a cookie or a credential that the task does not send; to follow such \
            redirects, set followsRepeatedRedirects
            """,
            .init()
        )
    }
}
