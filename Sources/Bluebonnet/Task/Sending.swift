import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What the next exchange needs to know about its task.
struct Sending {
    let request: URLRequest
    let body: Exchange.Body?
    let hasLeftOrigin: Bool
    let authentication: TaskAuthentication?
    /// The fields that answer a challenge; nil for known credentials.
    let answeringFields: [Exchange.Field]?
    /// The requests that were answered with redirects.
    let redirected: Set<SentRequest>
    let keepsBody: Bool
    let priority: Float
    let connectsAnew: Bool
    let attempt: Int
    let attributes: TaskAttributes
    let isSendingWatched: Bool
    /// The transport that performs the exchange in place of the manager's.
    let transport: (any Transport)?
    /// The number of the exchange.
    let number: Int

    /// An exchange that is about to begin.
    struct Result {
        let request: URLRequest
        let sent: SentRequest
        let authentication: TaskAuthentication?
        /// The credential fields that it sends.
        let credential: [Exchange.Field]
        /// The length of its body, -1 if it is unknown, and nil without a body.
        let bodyLength: Int64?
    }
}

extension TaskState {
    func sending(of request: URLRequest) -> Sending {
        let isMemory = if case .memory = flow { true } else { false }
        let transport: (any Transport)? =
            if case .transport(let own)? = attempt.answer { own } else { nil }
        return Sending(
            request: request, body: attempt.body, hasLeftOrigin: attempt.hasLeftOrigin,
            authentication: attempt.authentication, answeringFields: attempt.answeringFields,
            redirected: attempt.redirected, keepsBody: isMemory, priority: priority,
            connectsAnew: attempt.connectsAnew, attempt: run.attempt,
            attributes: isRareInitial ? TaskAttributes() : rare.attributes,
            isSendingWatched: sending.isWatched || upload != nil, transport: transport,
            number: exchange.number + 1)
    }
}

extension TaskDelegate {
    /// Makes the transfer of an exchange; the only method that does.
    func send(_ sending: Sending) -> TaskRun.Event? {
        do throws(BluebonnetError) {
            return try made(sending)
        } catch {
            comeBack(with: .failed(error))
            return nil
        }
    }

    private func made(_ sending: Sending) throws(BluebonnetError) -> TaskRun.Event {
        let (credential, authentication) = credential(of: sending)
        let outgoing = OutgoingRequest(
            session: session, pools: setup.pools, options: setup.options?.values,
            request: sending.request, body: sending.body, hasLeftOrigin: sending.hasLeftOrigin,
            credential: credential, proxyCredential: authentication?.proxyCredential,
            keepsBody: sending.keepsBody, priority: sending.priority,
            connectsAnew: sending.connectsAnew, attempt: sending.attempt,
            attributes: sending.attributes, isSendingWatched: sending.isSendingWatched)
        let (message, pool, url) = try outgoing.message()
        try outgoing.checkAddress(of: message, in: pool)
        let sent = SentRequest(message, to: url, credential: credential)
        guard
            sending.redirected.isEmpty || session.configuration.followsRepeatedRedirects
                || !sending.redirected.contains(sent)
        else { throw .redirectLoop }
        let transport = sending.transport?.countingWork(on: session.clock) ?? session.transport
        let transfer = transport.transfer(
            for: outgoing.exchange(of: message, in: pool),
            reportingTo: ExchangeReports(session, to: address, ofExchange: sending.number))
        return .made(
            transfer,
            Sending.Result(
                request: sending.request, sent: sent, authentication: authentication,
                credential: credential, bodyLength: message.body.map { $0.length ?? -1 }))
    }

    /// Returns the credential fields of an exchange: those that answer a challenge, or else those
    /// that are already known.
    private func credential(of sending: Sending) -> ([Exchange.Field], TaskAuthentication?) {
        if let fields = sending.answeringFields { return (fields, sending.authentication) }
        guard sending.authentication != nil || !session.authentication.isEmpty,
            let subject = AuthenticatedRequest(of: sending, self)
        else { return ([], sending.authentication) }
        var authentication =
            sending.authentication ?? TaskAuthentication(cache: session.authentication)
        return (authentication.fields(for: subject), authentication)
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
