import BluebonnetTransport
import FoundationNetworking

/// The facts that decide what a response is, once its head has arrived.
///
/// They are taken along from the task's lock, because cookies, validators, hooks and the caller's
/// closures are called outside of it, on the callback queue.
struct HeadInquiry: ~Copyable {
    let head: ResponseHead
    let asked: Reception.Asked
    let judgement: Reception.Judgement
    let flow: BodyFlow
    let judges: Judges
    let download: KnownDownload?
    /// The task's own handler for the head, unless it was asked already.
    let handler: HeadHandler?
    /// The request as the caller specified it, without the range of a partial file.
    let originalRequest: URLRequest?
    let documentSize: Int?
    let hasAuthentication: Bool
    let isIntercepted: Bool
    /// The number of the exchange, which the reports of a file carry.
    let exchange: Int
}

/// What a head turns out to be.
enum HeadFinding {
    case turn(Reception.Turn)
    case ask(Reception.Question, Reception.Judgement)
    case accept(Reception.Judgement, Reception.Destination)
    case refuse(Reception.Judgement)
    /// The body goes to a file, and the task gets another number, as in AFNetworking.
    indirect case becomeDownload(Reception.Judgement, Reception.Destination, NewDownload)
    /// The response does not continue the file, so the whole body is requested again; by another
    /// attempt if there is no request, because adapters have signed it with its range.
    case restart(URLRequest?)
    case cancel(CancellationCause)
    case fail(BluebonnetError)

    /// The identity and the file of a data task that becomes a download.
    struct NewDownload {
        let taskIdentifier: Int
        let download: Download
        let state: DownloadState
    }
}

extension HeadInquiry {
    private var delegate: TaskDelegate { judges.delegate }
    private var session: SessionCore { delegate.session }
    private var request: URLRequest? { judges.request }

    /// Consumes the inquiry, so that the caller's objects in it are released before what follows.
    consuming func finding() -> HeadFinding {
        if asked.contains(.emptyBody) { return findingOfEmptyBody() }
        if asked.isEmpty {
            session.keepCookies(
                of: head,
                if: delegate.setup.options?.values.handlesCookies
                    ?? request?.httpShouldHandleCookies ?? false)
            let isRedirect = RedirectPolicy.isRedirect(head)
            if !isRedirect, ChallengeStage(delegate).isChallenge(head) { return .turn(.challenge) }
            // Checked even before a redirect is followed, because its sender might not know the
            // password.
            if hasAuthentication, let error = ChallengeStage(delegate).error(after: head) {
                return .fail(error)
            }
            if isRedirect { return .turn(.redirect) }
        }
        switch handler {
        case nil: break
        case .tell(let tell): tell(head)
        case .ask(let ask): return .ask(.handler(ask), judgement)
        }
        return resumption() ?? judged()
    }

    /// Returns what the response to the request for the rest of a file is; nil for other responses.
    private func resumption() -> HeadFinding? {
        guard case .file(let plan) = flow, let record = download?.state.record else { return nil }
        switch ResumeDecision.decide(record, head) {
        case .append(_, let total): return reopened(record, total, plan)
        case .finished: return reopened(record, record.offset, plan)
        case .mismatch: return .restart(wholeRequest(without: record))
        case .restart, .unrelated: return nil
        }
    }

    private func reopened(_ record: ResumeRecord, _ total: Int64, _ plan: Download) -> HeadFinding {
        // The status code already fits the range, so nothing else has to judge the head.
        .accept(
            Reception.Judgement(judgedCount: .max),
            .file(
                DownloadFile(
                    reopening: record.partial, at: place(of: plan), on: plan.fileSystem,
                    for: session.work, tell: fileReports),
                expected: total, dropsBody: head.statusCode == 416))
    }

    private func wholeRequest(without record: ResumeRecord) -> URLRequest? {
        guard !isIntercepted, var request else { return nil }
        record.withdraw(from: &request, as: originalRequest)
        return request
    }

    private var fileReports: @Sendable (FileEvent) -> Void {
        let (session, address, exchange) = (session, delegate.address, exchange)
        return { session.send(.happening(.file($0, ofExchange: exchange)), to: address) }
    }

    private func judged() -> HeadFinding {
        let judgement = judges.judge(head)
        let verdict = judgement.verdict
        if verdict == nil, let failure = unknownCodings { return fail(failure) }
        switch disposition ?? .allow {
        case .allow: break
        case .cancel: return .cancel(.hook)
        case .becomeDownload:
            // A stream cannot become a download, because its reader waits for the body.
            if flow.isMemory, verdict.concernsContentTypeAlone,
                let finding = becomeDownload(judgement)
            {
                return finding
            }
        }
        if let error = lackOfRoom(verdict) { return .fail(error) }
        guard verdict == nil else { return .refuse(judgement) }
        switch flow {
        case .memory: return .accept(judgement, .memory)
        case .stream(let channel):
            guard isIntercepted, let doubt = head.doubt else {
                return .accept(judgement, .stream(channel))
            }
            return .ask(.doubt(doubt), judgement)
        case .file(let download): return file(of: download, judgement)
        }
    }

    /// Returns the failure of a body with unknown codings; nil if the body is not refused.
    private var unknownCodings: Exchange.Failure? {
        guard session.configuration.refusesUnknownContentCodings,
            let unknown = head.contentCodings?.unknown, !unknown.isEmpty
        else { return nil }
        return .unknownContentCodings(unknown)
    }

    private func fail(_ failure: Exchange.Failure) -> HeadFinding {
        .fail(.transport(failure, .init()))
    }

    private var disposition: ResponseDisposition? {
        guard session.audience.hooked.contains(.receivedHead), let manager = delegate.manager,
            let task = delegate.task, !(task is DownloadTask)
        else { return nil }
        return manager.dataTaskDidReceiveResponse(task, head: head)
    }

    /// Returns the error of a body whose announced length exceeds a limit; nil if it fits.
    private func lackOfRoom(_ verdict: BluebonnetError?) -> BluebonnetError? {
        guard head.isUncoded, let length = head.expectedContentLength else { return nil }
        // Only part of it is received.
        if verdict != nil, !flow.isMemory { return nil }
        if let failure = session.limits.failure(
            ofBody: Int(clamping: length), flow.isMemory ? .memory : .streamed)
        {
            return .transport(failure, .init())
        }
        guard flow.isMemory, let documentSize, length > documentSize else { return nil }
        return .bodyTooLarge(documentSize, verdict)
    }

    // MARK: Files

    private func file(
        of download: Download, _ judgement: Reception.Judgement
    ) -> HeadFinding {
        // Its file would appear complete.
        if head.isPart, !requestsRange { return fail(.unrequestedPart(head)) }
        return .accept(judgement, newFile(of: download, at: place(of: download)))
    }

    private func newFile(of plan: Download, at place: Download.Place) -> Reception.Destination {
        .file(
            DownloadFile(at: place, on: plan.fileSystem, for: session.work, tell: fileReports),
            expected: head.isUncoded ? head.expectedContentLength : nil, dropsBody: false)
    }

    /// Returns the place of the file; the caller's closure is called once, even if the download
    /// starts over.
    private func place(of plan: Download) -> Download.Place {
        download?.state.place ?? plan.place(for: head, keepsFile: download?.state.keepsFile == true)
    }

    private var requestsRange: Bool {
        request?.value(forHTTPHeaderField: "Range") != nil
            || session.configuration.additionalHeaders["Range"] != nil
    }

    private func findingOfEmptyBody() -> HeadFinding {
        guard case .file(let download) = flow else { return .refuse(judgement) }
        var judgement = judgement
        judgement.verdict = nil
        return file(of: download, judgement)
    }

    /// Turns the task into a download with its own identifier.
    ///
    /// The only destination is the one that
    /// ``SessionManager/downloadTaskDidFinishDownloading(_:location:)`` returns for the complete
    /// file.
    private func becomeDownload(_ judgement: Reception.Judgement) -> HeadFinding? {
        let files = delegate.setup.options?.values.files ?? []
        let download = Download(destination: nil, options: files)
        guard let manager = delegate.manager, delegate.task is DataTask else { return nil }
        if head.isUncoded, let length = head.expectedContentLength,
            let failure = session.limits.failure(
                ofBody: Int(clamping: length), .streamed)
        {
            return fail(failure)
        }
        if head.isPart, !requestsRange { return fail(.unrequestedPart(head)) }
        return .becomeDownload(
            Reception.Judgement(judgedCount: judgement.judgedCount),
            newFile(of: download, at: Download.Place(url: nil, options: files)),
            HeadFinding.NewDownload(
                taskIdentifier: manager.makeTaskIdentifier(), download: download,
                state: DownloadState(download)))
    }
}

extension ResponseHead {
    /// The error about which retriers are asked although the task accepts the response; nil for a
    /// status below 400.
    var doubt: BluebonnetError? {
        guard statusCode >= 400 else { return nil }
        var context = BluebonnetError.Context()
        context.acceptableStatusCodes = .successStatusCodes
        return .unacceptableStatus(statusCode, context)
    }

    /// The length of the body that callers receive; -1 if it is not known in advance.
    var progressTotal: Int64 {
        // A transport that does not list unknown codings can have removed them.
        let mayBeDecoded = exchangeHead.block.has(.contentEncoding) && contentCodings == nil
        return mayBeDecoded ? -1 : expectedContentLength ?? -1
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

extension Exchange.Failure {
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

    fileprivate static func unrequestedPart(_ head: ResponseHead) -> Self {
        let range = head.headers["Content-Range"].map { " (\($0.quoted))" } ?? ""
        return Self(
            .cannotParseResponse,
            message: """
                the server sent only a part of the file\(range), although all of it was requested
                """)
    }
}
