import BluebonnetTransport
import Foundation
import FoundationNetworking

// What the manager forwards, on its callback queue: one response, from its head to its end.
extension TaskDelegate {
    func handle(_ report: Exchange.Report) {
        if let count = report.sentBodyBytes { didSend(count) }
        if let head = report.head { receive(head) }
        if !report.body.isEmpty { receive(report.body) }
        if let end = report.end { exchangeDidEnd(end) }
    }

    private func didSend(_ count: Int64) {
        let (before, total, report) = state.withLock { state in
            let before = state.sending.completed
            let report = state.sending.advance(to: count, controlling: self)
            return (before, state.sending.total, report)
        }
        if let report { report.handler(report.progress) }
        guard session.activeHooks.contains(anyOf: .sending), let manager, let task else { return }
        manager.taskDidSendBodyData(
            task,
            bytesSent: max(0, count - before),
            totalBytesSent: count,
            totalBytesExpectedToSend: total
        )
    }

    // MARK: Head

    private func receive(_ head: Exchange.Head) {
        let (url, method) = state.withLock { ($0.sent?.location, $0.sent?.method) }
        guard let url, let method else { return }
        let head = ResponseHead(head, url: url, requestMethod: method)
        keepCookies(of: head)
        let role = role(of: head)
        let (hasAuthentication, flow, delivery) = state.withLock { state in
            state.head = head
            state.role = role
            return (state.authentication != nil, state.flow, state.delivery)
        }
        // Before a redirect is followed too: it may come from somebody who does not know the password.
        if hasAuthentication, role != .challenge, let error = authenticationError(after: head) {
            return abort(with: error)
        }
        if role == .final { accept(head, flow, delivery) }
    }

    private func role(of head: ResponseHead) -> ResponseRole {
        if RedirectPolicy.isRedirect(head) { return .redirect }
        return isAnsweredChallenge(head) ? .challenge : .final
    }

    /// Begins with the response that the task was made for.
    private func accept(_ head: ResponseHead, _ flow: BodyFlow, _ delivery: (any TaskDelivery)?) {
        guard case .file(let download) = flow, let record = download.record else {
            return begin(head, flow, delivery)
        }
        // The response to a request for the rest of a download.
        switch ResumeDecision.decide(record, head) {
        case .append(_, let total): continueFile(download, record, total: total, head)
        case .finished: continueFile(download, record, total: record.offset, head)
        case .mismatch: startOver(download)
        case .restart:
            download.forgetRecord()
            begin(head, flow, delivery)
        case .unrelated: begin(head, flow, delivery)
        }
    }

    private func begin(_ head: ResponseHead, _ flow: BodyFlow, _ delivery: (any TaskDelivery)?) {
        let verdict = delivery?.judge(head)
        state.withLock { state in
            state.role = .final
            state.verdict = verdict
            state.isFlowing = verdict == nil
            state.receiving.begin(total: head.progressTotal)
        }
        let decider = session.activeHooks.contains(anyOf: .disposition) ? manager : nil
        switch decider.flatMap({ disposition(of: head, by: $0) }) ?? .allow {
        case .allow: break
        case .cancel: return cancelWhileReceiving()
        case .becomeDownload:
            // A stream's reader waits for the body, and goes on doing so.
            if case .memory = flow, verdict.concernsContentTypeAlone {
                if makeRoom(for: head) { becomeDownload(head) }
                return
            }
        }
        guard verdict == nil else { return }
        switch flow {
        case .memory: if decider != nil { refuseIfTooLarge(head) }
        case .stream(let channel): channel.receive(head)
        case .file(let download): begin(download, head)
        }
    }

    private func disposition(
        of head: ResponseHead,
        by manager: SessionManager
    ) -> ResponseDisposition? {
        (task as? DataTask).map { manager.dataTaskDidReceiveResponse($0, head: head) }
    }

    private func cancelWhileReceiving() {
        guard let task else { return }
        cancel(task)
    }

    // MARK: Body

    private func receive(_ chunks: [Exchange.Chunk]) {
        let (role, flow, isWanted) = state.withLock { state in
            let phase = state.lifecycle.phase
            let isGivenUp = state.startsOver || state.hasEnoughOfRedirect
            let isWanted = !isGivenUp && phase != .canceling && phase != .completed
            return (state.role, state.isFlowing ? state.flow : .memory, isWanted)
        }
        guard isWanted else { return didConsume(chunks) }
        switch flow {
        case .memory: collect(chunks, of: role)
        case .stream(let channel):
            count(chunks)
            // First, because who reads the stream may change what it gets.
            if role == .final { forwardData(chunks) }
            return channel.receive(chunks)
        case .file(let download):
            guard takeRoom(for: chunks) else { return }
            write(chunks, to: download)
        }
        if role == .final { forwardData(chunks) }
    }

    private func collect(_ chunks: [Exchange.Chunk], of role: ResponseRole) {
        let limit = session.configuration.maximumResponseBodySize
        let (count, isWindowed, report) = state.withLock { state in
            state.body.append(chunks)
            let report = role == .final ? state.count(chunks, of: self) : nil
            return (state.body.count, state.isWindowed, report)
        }
        // Where the transport has no limit: for the body of a response that was not accepted.
        guard count <= limit else { return abort(with: .transport(.tooLarge(limit), .init())) }
        if role == .redirect { endRedirect(after: count) }
        if isWindowed { didConsume(chunks) }
        if let report { report.handler(report.progress) }
    }

    /// Counts what has come, and tells who wants to know.
    private func count(_ chunks: [Exchange.Chunk]) {
        let report = state.withLock { $0.count(chunks, of: self) }
        if let report { report.handler(report.progress) }
    }

    func didConsume(_ chunks: [Exchange.Chunk]) {
        didConsume(chunks.reduce(0) { $0 + $1.count })
    }

    /// Says that so much of the body needs no memory any more, or needs it to the end anyway.
    func didConsume(_ count: Int) {
        state.withLock { $0.isWindowed ? $0.lifecycle.consumed(count) : nil }?.didConsume(count)
    }

    private func forwardData(_ chunks: [Exchange.Chunk]) {
        guard session.activeHooks.contains(anyOf: .data), let manager,
            let task = task as? DataTask
        else { return }
        for chunk in chunks {
            // A copy: data that shares the piece's memory would let the hook change the body.
            manager.dataTaskDidReceiveData(task, data: chunk.withUnsafeBytes { Data($0) })
        }
    }

    // MARK: End

    private func exchangeDidEnd(_ end: Exchange.End) {
        let (role, phase, isGivenUp, isCut, report) = state.withLock { state in
            state.lifecycle.exchangeDidEnd()
            state.ends.append(end)
            // Looked at only where it is news, since metrics are large.
            let sent = state.sending.isShort ? end.metrics.requestBodyBytes : 0
            let report = state.sending.end(at: sent, controlling: self)
            let (isGivenUp, isCut) = (state.startsOver, state.hasEnoughOfRedirect)
            return (state.role, state.lifecycle.phase, isGivenUp, isCut, report)
        }
        if let report { report.handler(report.progress) }
        // What came before the end may have completed the task.
        guard phase != .completed else { return }
        guard phase != .canceling else { return complete(with: nil) }
        if isGivenUp, startsOver() { return }
        // What was cut short has failed by our own doing.
        if let failure = end.failure, !isCut { return exchangeDidFail(failure) }
        switch role {
        case .final: responseDidEnd()
        case .redirect: followRedirect()
        case .challenge: answerChallenge()
        }
    }

    /// Sends the request once more if its response was given up.
    private func startsOver() -> Bool {
        let (startsOver, request) = state.withLock { state in
            defer { state.startsOver = false }
            return (state.startsOver, state.currentRequest)
        }
        guard startsOver, let request else { return false }
        // A Digest field may be sent only once.
        useKnownCredentials(for: request)
        resend(with: request)
        return true
    }

    /// The exchange had ended before its response was given up.
    func exchangeIsOver() {
        if !startsOver() { complete(with: nil) }
    }

    private func exchangeDidFail(_ failure: Exchange.Failure) {
        if failure.needsNewBodyStream, taskState != .canceling {
            if let currentRequest { useKnownCredentials(for: currentRequest) }
            return askForBodyStream(failure)
        }
        if asksAboutServer(failure) { return }
        complete(with: bodyError(for: failure) ?? .transport(failure, .init()))
    }

    /// The error of a body that could not be read, where that is what an exchange failed of: one
    /// that an earlier exchange read ahead in vain is none.
    private func bodyError(for failure: Exchange.Failure) -> BluebonnetError? {
        guard failure.code == BodyFault.code else { return nil }
        return state.withLock { $0.bodyFault?.error }.map { BluebonnetError(bodyFault: $0) }
    }

    /// Delivers the response of a hop after all: nobody wants to go on.
    func deliverHop() {
        let (head, chunks, flow, delivery) = state.withLock { state in
            let chunks = state.body.chunks
            state.body.removeAll()
            state.hasEnoughOfRedirect = false
            return (state.head, chunks, state.flow, state.delivery)
        }
        guard let head else { return complete(with: nil) }
        accept(head, flow, delivery)
        if !chunks.isEmpty { receive(chunks) }
        responseDidEnd()
    }

    private func responseDidEnd() {
        let (download, report): (Download?, TransferProgress.Report?) = state.withLock { state in
            // The progress of a file is that of the writing.
            if state.isFlowing, let download = state.download { return (download, nil) }
            return (nil, state.receiving.end(controlling: self))
        }
        if let download { return finish(download) }
        if let report { report.handler(report.progress) }
        complete(with: nil)
    }
}

extension TaskState {
    /// Counts what has come; the report that is due, if any.
    fileprivate mutating func count(
        _ chunks: [Exchange.Chunk], of delegate: TaskDelegate
    ) -> TransferProgress.Report? {
        let total = chunks.reduce(receiving.completed) { $0 + Int64($1.count) }
        return receiving.advance(to: total, controlling: delegate)
    }
}

extension BluebonnetError? {
    /// Whether nothing is wrong with a head, or its content type alone: a file may be of any.
    fileprivate var concernsContentTypeAlone: Bool {
        switch self {
        case nil, .unacceptableContentType: true
        default: false
        }
    }
}

extension BluebonnetError {
    /// The error of a request's body that could not be read.
    init(bodyFault error: any Error, request: URLRequest? = nil) {
        let context = Context(request: request, underlying: error)
        self =
            (error as? FileFailure).map { .file($0, context) } ?? .requestBody("\(error)", context)
    }
}

extension ResponseHead {
    /// The length of the body that callers get; -1 when it is not known beforehand.
    fileprivate var progressTotal: Int64 {
        exchangeHead.block.has(.contentEncoding) ? -1 : expectedContentLength ?? -1
    }
}
