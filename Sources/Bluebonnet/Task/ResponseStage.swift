import BluebonnetTransport
import Foundation
import FoundationNetworking

/// One response, from its head to its end.
struct ResponseStage: TaskStage {
    let delegate: TaskDelegate

    init(_ delegate: TaskDelegate) {
        self.delegate = delegate
    }

    /// Takes a report of the exchange with that number.
    func receive(_ report: Exchange.Report, ofExchange number: Int) {
        let (fault, url, method) = state.withLock { state in
            let fault = state.exchange.fault(of: report, ofExchange: number)
            return report.head == nil
                ? (fault, nil, nil)
                : (fault, state.exchange.sent?.location, state.exchange.sent?.method)
        }
        switch fault {
        case nil: break
        case .belated?: return
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
        // Also before a redirect is followed: its sender may not know the password.
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

    /// Begins with the response that the task was made for.
    private func accept(_ head: ResponseHead, _ flow: BodyFlow) {
        guard case .file(let download) = flow, let record = download.record else {
            return begin(head, flow)
        }
        let stage = DownloadStage(delegate, download)
        // The response to a request for the rest of a download.
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
            state.receiving.begin(total: head.progressTotal)
        }
        if verdict == nil, let failure = unknownCodings(of: head) { return fail(failure) }
        let decider = session.audience.hooked.contains(.receivedHead) ? manager : nil
        switch decider.flatMap({ disposition(of: head, by: $0) }) ?? .allow {
        case .allow: break
        case .cancel:
            delegate.noteCancellation(.hook)
            return delegate.handle(.cancel)
        case .becomeDownload:
            // A stream's reader waits for the body, and goes on doing so.
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

    /// Why a body with unknown codings is refused; nil where it is not.
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
        (task as? DataTask).map { manager.dataTaskDidReceiveResponse($0, head: head) }
    }

    /// Goes on as a download's delegate, under the download's identifier (AFNetworking, S18).
    ///
    /// There is no destination but the one that ``SessionManager`` gives for its complete file.
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
        let (role, flow, isWanted, bodySize, documentSize) = state.withLock { state in
            let isWanted =
                state.run.stage.isUnderWay && !state.run.isCancelled
                && !state.exchange.isGivenUp
            if isWanted { state.exchange.bodySize += size }
            return (
                state.exchange.role, state.exchange.isFlowing ? state.flow : .memory, isWanted,
                state.exchange.bodySize, state.responders.maximumBodySize
            )
        }
        guard isWanted else { return delegate.didConsume(size) }
        let failure =
            role == .final
            ? session.limits.failure(ofBody: bodySize, on: flow)
            : session.limits.failure(ofHeldBody: bodySize)
        if let failure { return fail(failure) }
        switch flow {
        case .memory:
            if role == .final, let documentSize, bodySize > documentSize {
                return delegate.handle(.failed(bodyTooLarge(documentSize)))
            }
            collect(chunks, of: role)
        case .stream(let channel):
            count(chunks)
            // First, because who reads the stream may change what it gets.
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
            // It is kept to the end anyway, or at least until it is decided what follows.
            let consumed = state.exchange.consume(size, isEarly: role != .final)
            let report = role == .final ? state.count(chunks, of: delegate) : nil
            let isEnough = role != .final && state.exchange.hold()
            return (state.run.transfer, consumed, isEnough, report)
        }
        if consumed > 0 { transfer?.didConsume(consumed) }
        if isEnough { delegate.handle(.enough(role)) }
        if let report { report.handler(report.progress) }
    }

    /// Counts the bytes that have come, and reports the progress.
    private func count(_ chunks: [Exchange.Chunk]) {
        let report = state.withLock { $0.count(chunks, of: delegate) }
        if let report { report.handler(report.progress) }
    }

    private func forwardData(_ chunks: [Exchange.Chunk]) {
        guard delegate.isHeard(.receivedData), state.withLock({ $0.download == nil }) else {
            return
        }
        for chunk in chunks {
            // A copy: data that shares the piece's memory would let who hears of it change the body.
            delegate.emit(.receivedData(chunk.withUnsafeBytes { Data($0) }))
        }
    }

    /// Whether a body that a head announces is not too large; fails the task at once if it is.
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

    /// The error of a body with more bytes than any serializer of the task can read.
    ///
    /// What is wrong with the head comes first.
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
            // Looked at only where it is news, since metrics are large.
            let sent = state.sending.isShort ? end.metrics.requestBodyBytes : 0
            let report = state.sending.end(at: sent, controlling: delegate)
            return (state.exchange.result(failure: end.failure), report, state.endTimer)
        }
        timer?.cancel()
        if let report { report.handler(report.progress) }
        delegate.handle(.ended(result))
    }

    /// Goes on without the end of an exchange that the transport should have reported by now.
    func endUnreported(ofExchange number: Int) {
        let result = state.withLock { state -> Result<ResponseRole, Exchange.Failure>? in
            guard state.exchange.number == number, !state.exchange.hasEnded else { return nil }
            state.exchange.hasEnded = true
            state.exchange.isEndMissing = true
            return state.exchange.result(failure: .cancelled)
        }
        if let result { delegate.handle(.ended(result)) }
    }

    /// Delivers a redirect or a challenge as the response, since it is not followed, or one that is not retried.
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

    /// Waits until all of the response's body is where it belongs.
    func collect() -> TaskRun.Event? {
        acceptEmptyFile()
        let (download, report): (Download?, TransferProgress.Report?) = state.withLock { state in
            // The progress of a file is that of the writing.
            if state.exchange.isFlowing, let download = state.download { return (download, nil) }
            return (nil, state.receiving.end(controlling: delegate))
        }
        if let download { return DownloadStage(delegate, download).finish() }
        if let report { report.handler(report.progress) }
        return .collected
    }

    /// Begins the file of a download whose content type was refused and that has no body after all, so
    /// no type either.
    private func acceptEmptyFile() {
        let accepted = state.withLock { state -> (ResponseHead, Download)? in
            guard let download = state.download, let head = state.exchange.head,
                !state.exchange.isFlowing, state.exchange.body.count == 0,
                case .unacceptableContentType? = state.exchange.verdict
            else { return nil }
            state.exchange.verdict = nil
            state.exchange.isFlowing = true
            return (head, download)
        }
        if let (head, download) = accepted { DownloadStage(delegate, download).begin(head) }
    }
}

extension TaskExchange {
    /// Why a report is not for this exchange, or not one that a transport may give.
    fileprivate enum Fault {
        /// It belongs to an exchange that is over.
        case belated
        case misconduct(String)
    }

    fileprivate func fault(of report: Exchange.Report, ofExchange number: Int) -> Fault? {
        guard number == self.number, !hasEnded else { return .belated }
        if report.head != nil, head != nil { return .misconduct("a second head") }
        guard head == nil, report.head == nil else { return nil }
        if !report.body.isEmpty { return .misconduct("a body without a head before it") }
        if let end = report.end, end.failure == nil {
            return .misconduct("an end without a head or a failure before it")
        }
        return nil
    }

    /// What an exchange that has ended is to its task.
    fileprivate func result(
        failure: Exchange.Failure?
    ) -> Result<ResponseRole, Exchange.Failure> {
        failure.map { .failure($0) } ?? .success(role)
    }

    /// Whether so much has come of a redirect or a challenge that the rest waits for what follows: a
    /// short rest is read, so that the connection is kept.
    ///
    /// True once.
    fileprivate mutating func hold() -> Bool {
        guard !isHeld, body.count > Self.largestExcerpt else { return false }
        isHeld = true
        return true
    }

    private static let largestExcerpt = 64 * 1024
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

extension ResponseHead {
    /// The length of the body that callers get; -1 when it is not known beforehand.
    fileprivate var progressTotal: Int64 {
        // Without a note of unknown codings a transport may have removed them.
        let mayBeDecoded = exchangeHead.block.has(.contentEncoding) && contentCodings == nil
        return mayBeDecoded ? -1 : expectedContentLength ?? -1
    }
}

extension Exchange.Failure {
    /// The failure of a transport that breaks its promises.
    fileprivate static func misconduct(_ what: String) -> Self {
        Self(
            .badServerResponse,
            message: "the transport reported \(what); it must give a head, the body, and one end"
        )
    }

    fileprivate static func unknownContentCodings(_ names: [String]) -> Self {
        // Their names come from the peer: quoting escapes control characters.
        let list = names.map(\.debugDescription).joined(separator: ", ")
        return Self(
            .cannotDecodeContentData,
            message: """
                the response's body has the unknown content coding \(list), which the session's \
                configuration refuses
                """)
    }

    static let endIsMissing = misconduct("no end after a cancel, for a second")
}
