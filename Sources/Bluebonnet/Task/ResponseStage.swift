import BluebonnetTransport
import Foundation
import FoundationNetworking

/// Processes one response, from its head to its end.
struct ResponseStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Processes a report of the exchange with that number.
    func receive(_ report: Exchange.Report, ofExchange number: Int) {
        let (fault, url, method) = state.withLock { state in
            let fault = state.exchange.fault(
                of: report, ofExchange: number, isGivenUp: state.run.transfer == nil)
            return report.head == nil
                ? (fault, nil, nil)
                : (fault, state.exchange.sent?.location, state.exchange.sent?.method)
        }
        switch fault {
        case nil: break
        case .belated?: return
        case .ofGivenUp?:
            if let end = report.end { exchangeDidEnd(end) }
            return
        case .misconduct(let reason)?: return fail(.misconduct(reason))
        }
        if let trailers = report.trailers {
            if let failure = session.limits.failure(ofTrailer: trailers) { return fail(failure) }
            state.withLock { $0.exchange.trailers = trailers }
        }
        if let count = report.sentBodyBytes { didSend(max(0, count)) }
        if let head = report.head, let url, let method {
            receive(head, report.codings, from: url, method)
        }
        if !report.body.isEmpty { receive(report.body) }
        if let end = report.end { exchangeDidEnd(end) }
    }

    private func fail(_ failure: Exchange.Failure) {
        delegate.handle(.failed(.transport(failure, .init())))
    }

    private func didSend(_ count: Int64) {
        let (before, total, report) = state.withLock { state in
            let before = state.sending.completed
            let report = state.sending.advance(to: count, controlling: delegate)
            return (before, state.sending.total, report)
        }
        if let report { report.handler(report.progress) }
        delegate.emit(
            .sentBodyData(count: max(0, count - before), total: count, expectedTotal: total))
    }

    // MARK: Head

    private func receive(
        _ head: Exchange.Head, _ codings: Exchange.ContentCodings?, from url: URL, _ method: String
    ) {
        if let failure = session.limits.failure(of: head) { return fail(failure) }
        let head = ResponseHead(head, url: url, requestMethod: method, codings: codings)
        session.keepCookies(
            of: head,
            if: delegate.setup.options?.values.handlesCookies
                ?? delegate.currentRequest?.httpShouldHandleCookies ?? false)
        let role = role(of: head)
        let (hasAuthentication, flow, handler) = state.withLock { state in
            state.exchange.head = head
            state.exchange.role = role
            return (
                state.attempt.authentication != nil, state.flow,
                role == .final ? state.headHandler : nil
            )
        }
        delegate.emit(.receivedHead(head))
        // Checked even before a redirect is followed, because its sender might not know the
        // password.
        if hasAuthentication, role != .challenge,
            let error = ChallengeStage(delegate).error(after: head)
        {
            return delegate.handle(.failed(error))
        }
        guard role == .final else { return }
        guard let handler, HeadStage(delegate).tell(handler, of: head) else {
            return accept(head, flow)
        }
        delegate.handle(.enough(.held))
    }

    private func role(of head: ResponseHead) -> ResponseRole {
        if RedirectPolicy.isRedirect(head) { return .redirect }
        return ChallengeStage(delegate).isChallenge(head) ? .challenge : .final
    }

    /// Begins with the response that the task was created for.
    private func accept(_ head: ResponseHead, _ flow: BodyFlow) {
        guard case .file(let download) = flow, let record = download.record else {
            return begin(head, flow)
        }
        let stage = DownloadStage(delegate, download)
        // The request asked for the rest of a download.
        switch ResumeDecision.decide(record, head) {
        case .append(_, let total): stage.continueFile(record, total: total, head)
        case .finished: stage.continueFile(record, total: record.offset, head)
        case .mismatch: stage.startOver()
        case .restart:
            download.forgetRecord()
            begin(head, flow)
        case .unrelated: begin(head, flow)
        }
    }

    private func begin(_ head: ResponseHead, _ flow: BodyFlow) {
        let (verdict, judgedCount) = JudgementStage(delegate).judge(head)
        state.withLock { state in
            (state.exchange.verdict, state.exchange.judgedCount) = (verdict, judgedCount)
            state.exchange.role = .final
            state.exchange.isFlowing = verdict == nil
            // The progress of a download does not count the body of an error.
            if verdict == nil || state.download == nil {
                state.receiving.begin(total: head.progressTotal)
            }
        }
        if verdict == nil, let failure = unknownCodings(of: head) { return fail(failure) }
        let decider = session.audience.hooked.contains(.receivedHead) ? manager : nil
        switch decider.flatMap({ disposition(of: head, by: $0) }) ?? .allow {
        case .allow: break
        case .cancel:
            delegate.noteCancellation(.hook)
            return delegate.handle(.cancel)
        case .becomeDownload:
            // A stream cannot become a download, because its reader waits for the body.
            if case .memory = flow, verdict.concernsContentTypeAlone {
                return becomeDownload(head)
            }
        }
        guard hasRoom(after: head, on: verdict == nil ? flow : .memory), verdict == nil else {
            return
        }
        switch flow {
        case .memory: break
        case .stream(let channel):
            guard InterceptionStage(delegate).doubt(head) != nil else {
                return channel.receive(head)
            }
            state.withLock { ($0.exchange.role, $0.exchange.isFlowing) = (.doubtful, false) }
            delegate.handle(.enough(.doubtful))
        case .file(let download): DownloadStage(delegate, download).begin(head)
        }
    }

    /// Returns the failure of a body with unknown codings; nil if the body is not refused.
    private func unknownCodings(of head: ResponseHead) -> Exchange.Failure? {
        guard session.configuration.refusesUnknownContentCodings,
            let unknown = head.contentCodings?.unknown, !unknown.isEmpty
        else { return nil }
        return .unknownContentCodings(unknown)
    }

    private func disposition(
        of head: ResponseHead,
        by manager: SessionManager
    ) -> ResponseDisposition? {
        guard let task, !(task is DownloadTask) else { return nil }
        return manager.dataTaskDidReceiveResponse(task, head: head)
    }

    /// Turns the task into a download with its own identifier, as in AFNetworking.
    ///
    /// The only destination is the one that
    /// ``SessionManager/downloadTaskDidFinishDownloading(_:location:)`` returns for the complete
    /// file.
    private func becomeDownload(_ head: ResponseHead) {
        let files = delegate.setup.options?.values.files ?? []
        let download = Download(destination: nil, options: files)
        guard let manager, let former = task as? DataTask,
            hasRoom(after: head, on: .file(download))
        else { return }
        let taskIdentifier = manager.makeTaskIdentifier()
        state.withLock { state in
            state.taskIdentifier = taskIdentifier
            state.flow = .file(download)
            state.exchange.verdict = nil
            state.exchange.isFlowing = true
        }
        session.map.withLock { $0.move(delegate, to: taskIdentifier) }
        let task = DownloadTask(delegate: delegate, taskIdentifier: taskIdentifier)
        state.withLock { $0.held?.task = task }
        delegate.emit(.becameDownload(from: former))
        DownloadStage(delegate, download).begin(head)
    }

    // MARK: Body

    private func receive(_ chunks: [Exchange.Chunk]) {
        let size = chunks.reduce(0) { $0 + $1.count }
        let (role, flow, isWanted, isDropped, bodySize, documentSize) = state.withLock { state in
            let isWanted =
                state.run.stage.isUnderWay && !state.run.isCancelled
                && !state.exchange.isGivenUp
            if isWanted { state.exchange.bodySize += size }
            return (
                state.exchange.role, state.exchange.isFlowing ? state.flow : .memory, isWanted,
                state.exchange.head?.cannotHaveBody == true,
                state.exchange.bodySize, state.responders.maximumBodySize
            )
        }
        guard isWanted else { return delegate.didConsume(size) }
        let failure =
            role == .final && !isDropped
            ? session.limits.failure(ofBody: bodySize, on: flow)
            : session.limits.failure(ofHeldBody: bodySize)
        if let failure { return fail(failure) }
        // Here, so that verbs, downloads and streams treat such content alike.
        if isDropped { return delegate.didConsume(size) }
        switch flow {
        case .memory:
            if role == .final, let documentSize, bodySize > documentSize {
                return delegate.handle(.failed(bodyTooLarge(documentSize)))
            }
            collect(chunks, of: role)
        case .stream(let channel):
            count(chunks)
            // First, because the stream's reader can change the data that it receives.
            if role == .final { forwardData(chunks) }
            return channel.receive(chunks)
        case .file(let download): DownloadStage(delegate, download).write(chunks)
        }
        if role == .final { forwardData(chunks) }
    }

    private func collect(_ chunks: [Exchange.Chunk], of role: ResponseRole) {
        let size = chunks.reduce(0) { $0 + $1.count }
        let (transfer, consumed, isEnough, report) = state.withLock { state in
            state.exchange.body.append(chunks)
            // Consumed at once, because it is kept until the end, or until the next step is
            // decided.
            let consumed = state.exchange.consume(size, isEarly: role != .final)
            let isCounted = role == .final && state.download == nil
            let report = isCounted ? state.count(chunks, of: delegate) : nil
            let isEnough = role != .final && state.exchange.hold()
            return (state.run.transfer, consumed, isEnough, report)
        }
        if consumed > 0 { transfer?.didConsume(consumed) }
        if isEnough { delegate.handle(.enough(role)) }
        if let report { report.handler(report.progress) }
    }

    /// Counts received bytes, and reports the progress.
    private func count(_ chunks: [Exchange.Chunk]) {
        let report = state.withLock { $0.count(chunks, of: delegate) }
        if let report { report.handler(report.progress) }
    }

    private func forwardData(_ chunks: [Exchange.Chunk]) {
        guard delegate.isHeard(.receivedData), state.withLock({ $0.download == nil }) else {
            return
        }
        for chunk in chunks {
            // A copy, because an observer could change the body through data that shares its
            // memory.
            delegate.emit(.receivedData(chunk.withUnsafeBytes { Data($0) }))
        }
    }

    /// Returns whether a body of the announced length is within the limits; if not, the task fails.
    private func hasRoom(after head: ResponseHead, on flow: BodyFlow) -> Bool {
        if let failure = session.limits.failure(ofBodyAfter: head, on: flow) {
            fail(failure)
            return false
        }
        guard case .memory = flow, head.isUncoded, let length = head.expectedContentLength,
            let documentSize = state.withLock({ $0.responders.maximumBodySize }),
            length > documentSize
        else { return true }
        delegate.handle(.failed(bodyTooLarge(documentSize)))
        return false
    }

    /// Returns the error of a body with more bytes than any serializer of the task can read.
    ///
    /// An error of the head takes precedence.
    private func bodyTooLarge(_ limit: Int) -> BluebonnetError {
        let verdict = state.withLock { $0.exchange.verdict }
        let cause = ResponseSerializationError.bodyTooLarge(limit)
        let error = BluebonnetError.unreadableBody("\(cause)", .init(underlying: cause))
        guard case .unacceptableStatus(let code, var context)? = verdict else {
            return verdict ?? error
        }
        context.underlying = context.underlying ?? error
        return .unacceptableStatus(code, context)
    }

    // MARK: End

    private func exchangeDidEnd(_ end: Exchange.End) {
        let (result, report, timer) = state.withLock { state in
            state.exchange.hasEnded = true
            state.ends.append(end)
            // Read only if it is needed, because metrics are large.
            let sent = state.sending.isShort ? end.metrics.requestBodyBytes : 0
            let report = state.sending.end(at: sent, controlling: delegate)
            return (state.exchange.result(failure: end.failure), report, state.endTimer)
        }
        timer?.cancel()
        if let report { report.handler(report.progress) }
        delegate.handle(.ended(result))
    }

    /// Ends an exchange whose end the transport has not reported in time.
    func endUnreported(ofExchange number: Int) {
        let result = state.withLock { state -> Result<ResponseRole, Exchange.Failure>? in
            guard state.exchange.number == number, !state.exchange.hasEnded else { return nil }
            state.exchange.hasEnded = true
            state.exchange.isEndMissing = true
            return state.exchange.result(failure: .cancelled)
        }
        if let result { delegate.handle(.ended(result)) }
    }

    /// Delivers a response as the task's, because no redirect, challenge or retry follows it.
    func deliver() -> TaskRun.Event? {
        let (head, flow, role, handler) = state.withLock { state in
            let role = state.exchange.role
            state.exchange.role = .final
            if role == .doubtful { state.exchange.isFlowing = true }
            return (
                state.exchange.head, state.flow, role,
                state.exchange.isHeadTold ? nil : state.headHandler
            )
        }
        if let handler, let head, HeadStage(delegate).tell(handler, of: head) {
            return HeadStage(delegate).ask()
        }
        if role == .doubtful, case .stream(let channel) = flow, let head {
            channel.receive(head)
        } else if let head {
            accept(head, flow)
            // The retriers of a stream are asked first.
            let isDoubtful = state.withLock { $0.exchange.role == .doubtful }
            if isDoubtful, let doubt = InterceptionStage(delegate).doubt() {
                return .doubted(doubt)
            }
        }
        let chunks = state.withLock { state in
            let chunks = state.exchange.body.chunks
            state.exchange.body.removeAll()
            state.exchange.bodySize = 0
            return chunks
        }
        if !chunks.isEmpty { receive(chunks) }
        return .responded
    }

    /// Waits until the whole body of the response is in its destination.
    func collect() -> TaskRun.Event? {
        acceptEmptyFile()
        let (download, report): (Download?, TransferProgress.Report?) = state.withLock { state in
            // The progress of a download counts the bytes that were written.
            if state.exchange.isFlowing, let download = state.download { return (download, nil) }
            let isCounted = state.download == nil
            return (nil, isCounted ? state.receiving.end(controlling: delegate) : nil)
        }
        if let download { return DownloadStage(delegate, download).finish() }
        if let report { report.handler(report.progress) }
        return .collected
    }

    /// Begins the file of a download whose content type was refused, if its body turns out to be
    /// empty.
    ///
    /// An empty body has no content type to refuse.
    private func acceptEmptyFile() {
        let accepted = state.withLock { state -> (ResponseHead, Download)? in
            guard let download = state.download, let head = state.exchange.head,
                !state.exchange.isFlowing, state.exchange.body.count == 0,
                case .unacceptableContentType? = state.exchange.verdict
            else { return nil }
            state.exchange.verdict = nil
            state.exchange.isFlowing = true
            state.receiving.begin(total: 0)
            return (head, download)
        }
        if let (head, download) = accepted { DownloadStage(delegate, download).begin(head) }
    }
}

extension TaskExchange {
    /// The reason why a report is ignored, or fails the task.
    fileprivate enum Fault {
        /// The report belongs to an exchange that has ended.
        case belated
        /// The exchange was given up, so that only its metrics count.
        case ofGivenUp
        case misconduct(String)
    }

    fileprivate func fault(
        of report: Exchange.Report, ofExchange number: Int, isGivenUp: Bool
    ) -> Fault? {
        guard number == self.number, !hasEnded else { return .belated }
        guard !isGivenUp else { return .ofGivenUp }
        if report.head != nil, head != nil { return .misconduct("a second head") }
        guard head == nil, report.head == nil else { return nil }
        if !report.body.isEmpty { return .misconduct("a body without a head before it") }
        if let end = report.end, end.failure == nil {
            return .misconduct("an end without a head or a failure before it")
        }
        return nil
    }

    /// Returns the result of an exchange that has ended.
    fileprivate func result(
        failure: Exchange.Failure?
    ) -> Result<ResponseRole, Exchange.Failure> {
        failure.map { .failure($0) } ?? .success(role)
    }

    /// Returns whether the body has become too long to be read before the next step is decided.
    ///
    /// It returns true only once. A shorter body is read to its end, so that the connection can be
    /// kept.
    fileprivate mutating func hold() -> Bool {
        guard !isHeld, body.count > Self.largestExcerpt else { return false }
        isHeld = true
        return true
    }

    private static let largestExcerpt = 64 * 1024
}

extension TaskState {
    /// Counts received bytes, and returns the progress report to send, if any.
    fileprivate mutating func count(
        _ chunks: [Exchange.Chunk], of delegate: TaskDelegate
    ) -> TransferProgress.Report? {
        let total = chunks.reduce(receiving.completed) { $0 + Int64($1.count) }
        return receiving.advance(to: total, controlling: delegate)
    }
}

extension BluebonnetError? {
    /// Whether a head has no fault except its content type, which a file does not depend on.
    fileprivate var concernsContentTypeAlone: Bool {
        switch self {
        case nil, .unacceptableContentType: true
        default: false
        }
    }
}

extension ResponseHead {
    /// The length of the body that callers receive; -1 if it is not known in advance.
    fileprivate var progressTotal: Int64 {
        // A transport that does not list unknown codings can have removed them.
        let mayBeDecoded = exchangeHead.block.has(.contentEncoding) && contentCodings == nil
        return mayBeDecoded ? -1 : expectedContentLength ?? -1
    }
}

extension Exchange.Failure {
    /// The failure of a transport that breaks its contract.
    fileprivate static func misconduct(_ what: String) -> Self {
        Self(
            .badServerResponse,
            message: "the transport reported \(what); it must report a head, the body and one end"
        )
    }

    fileprivate static func unknownContentCodings(_ names: [String]) -> Self {
        // The names come from the server: quoting them escapes control characters.
        let list = names.map(\.debugDescription).joined(separator: ", ")
        return Self(
            .cannotDecodeContentData,
            message: """
                the response's body has the unknown content coding \(list); to receive it as it \
                was sent, set refusesUnknownContentCodings to false
                """)
    }

    static let endIsMissing = misconduct("no end within a second of a cancel")
}
