import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What the response of an exchange is, from its head to its end.
///
///     awaiting its head ─▶ judged ─▶ accepted ───────────┐
///                           │  ▲  ─▶ refused ────────────┤
///                           ▼  │ it is the response      ▼
///          excerpt ─▶ asked about ─▶ discarded ─▶ ended
///
/// It is a value that is changed under the task's lock. What a task waits for is the stage of its
/// ``TaskRun``.
enum Reception {
    case awaitingHead
    /// The exchange has ended without a head.
    case failed
    case arrived(Received, Standing)

    /// What a response with a head is.
    enum Standing {
        /// The head is being judged, outside the lock.
        case judging
        /// The body of a redirect or challenge is read to its end or to 64 KiB, whichever comes
        /// first.
        case excerpt(Turn)
        /// The answer to a question is awaited, and what still arrives is held back.
        case asking(Question, end: Exchange.End?)
        case accepted(Destination)
        /// The response is refused, and its body is kept for the error.
        case refused
        /// The rest of the response is dropped, and the request is sent after its end.
        case discarded(next: URLRequest)
        case ended(Destination?)
    }

    /// A response after which another request can follow.
    enum Turn: Sendable {
        case redirect, challenge
    }

    /// A question about a response; each is asked at most once.
    enum Question {
        /// What follows a redirect or a challenge.
        case turn(Turn)
        /// What the task's own handler makes of the head.
        case handler(@Sendable (ResponseHead) async -> ResponseDisposition)
        /// Whether a retry follows a head with an error status, before a stream's reader gets it.
        case doubt(BluebonnetError)
    }

    /// The questions about a response that have been asked.
    struct Asked: OptionSet {
        let rawValue: UInt8
        static let turn = Self(rawValue: 1)
        static let handler = Self(rawValue: 2)
        /// Whether the head was judged again because the body is empty.
        static let emptyBody = Self(rawValue: 4)
    }

    /// What the serializer and the validators find about a head.
    struct Judgement {
        /// The error of the last judge that was applied to the head, if it refused the head.
        var verdict: BluebonnetError?
        /// The number of judges, with the serializer first, that no longer have to judge the head.
        var judgedCount = 0
    }

    /// The part of a response that has arrived.
    struct Received {
        let head: ResponseHead
        /// The body, as far as it is kept in memory.
        var body = BodyCollector()
        /// The number of body bytes that arrived and were not discarded.
        var size = 0
        /// Whether the body of a refused response is incomplete.
        var isCut = false
        var judgement = Judgement()
        /// The trailer fields; nil if there are none.
        var trailers: [Exchange.Field]?
        var asked: Asked = []

        init(_ head: ResponseHead) { self.head = head }
    }

    /// The place where an accepted body goes.
    enum Destination {
        case memory
        case stream(ResponseChannel)
        /// A file, with its required length if the server announced one.
        ///
        /// The body of a 416 response is dropped, because it is not part of the file.
        case file(DownloadFile, expected: Int64?, dropsBody: Bool)
        /// A file with the whole body, at its temporary location.
        case whole(DownloadFile, at: URL)
    }
}

extension Reception {
    /// Takes the part of a report about the response.
    mutating func take(
        _ report: consuming Exchange.Report, of sent: SentRequest?, within terms: ArrivalTerms
    ) -> Arrival {
        if case .awaitingHead = self { return begin(report, of: sent, within: terms) }
        if report.head != nil { return .failing(.misconduct("a second head")) }
        return take(Arrival.Rest(report.body, report.trailers, report.end), within: terms)
    }

    private mutating func begin(
        _ report: consuming Exchange.Report, of sent: SentRequest?, within terms: ArrivalTerms
    ) -> Arrival {
        guard let head = report.head, let sent, let url = sent.location else {
            if !report.body.isEmpty {
                return .failing(.misconduct("a body without a head before it"))
            }
            guard let end = report.end else { return Arrival() }
            guard let failure = end.failure else {
                return .failing(.misconduct("an end without a head or a failure before it"))
            }
            self = .failed
            return Arrival(next: .end(.failure(failure)))
        }
        if let failure = terms.limits.failure(of: head) { return .failing(failure) }
        self = .arrived(
            Received(
                ResponseHead(
                    head, url: url, requestMethod: sent.method, codings: report.codings)),
            .judging)
        return Arrival(
            next: .head(rest: Arrival.Rest(report.body, report.trailers, report.end)))
    }

    /// Takes body, trailers and end of a response whose head has arrived.
    private mutating func take(_ rest: Arrival.Rest, within terms: ArrivalTerms) -> Arrival {
        if let trailers = rest.trailers,
            let failure = terms.limits.failure(ofTrailer: trailers)
        {
            return .failing(failure)
        }
        return change { received, standing in
            standing.take(rest, &received, within: terms)
        } ?? Arrival()
    }

    /// Changes a response whose head has arrived.
    private mutating func change<Result: ~Copyable>(
        _ body: (inout Received, inout Standing) -> Result
    ) -> Result? {
        guard case .arrived = self else { return nil }
        // Moved out of the value, because a copy of the body would have to be made to change it.
        var former = Reception.awaitingHead
        swap(&former, &self)
        guard case .arrived(var received, var standing) = consume former else { return nil }
        defer { self = .arrived(received, standing) }
        return body(&received, &standing)
    }
}

extension Reception.Standing {
    /// The largest excerpt of a redirect's or challenge's body, in bytes.
    ///
    /// A shorter body is read to its end, so that the connection can be kept.
    private static var largestExcerpt: Int { 64 * 1024 }

    fileprivate mutating func take(
        _ rest: Arrival.Rest, _ received: inout Reception.Received, within terms: ArrivalTerms
    ) -> Arrival {
        switch self {
        case .judging, .ended: return Arrival()
        case .excerpt(let turn):
            var arrival = received.take(
                rest, for: .kept(isCounted: false), .heldBack, within: terms)
            guard !arrival.hasFailed else { return arrival }
            // The head alone determines what follows, so it does not need the whole body.
            if let failure = rest.end?.failure, !failure.isOfResponse {
                arrival.next = end(with: .failure(failure))
            } else if rest.end != nil || received.body.count > Self.largestExcerpt {
                self = .asking(.turn(turn), end: rest.end)
                arrival.next = .ask(.turn(turn))
            }
            return arrival
        case .asking(let question, let known):
            self = .asking(question, end: known ?? rest.end)
            return received.take(rest, for: .kept(isCounted: false), .heldBack, within: terms)
        case .accepted(let destination):
            var arrival = take(rest, &received, to: destination, within: terms)
            if !arrival.hasFailed, let end = rest.end {
                arrival.next = self.end(with: end.result, destination)
            }
            return arrival
        case .refused:
            let wasCut = received.isCut
            var arrival = received.takeErrorBody(rest, within: terms)
            guard !arrival.hasFailed else { return arrival }
            guard let end = rest.end else {
                if received.isCut, !wasCut { arrival.next = .cut }
                return arrival
            }
            // An empty body has no content type to refuse.
            if end.failure == nil, terms.flow.isDownload, received.countOfJudged == 0,
                case .unacceptableContentType? = received.judgement.verdict
            {
                received.asked.insert(.emptyBody)
                self = .judging
                arrival.next = .head(
                    rest: Arrival.Rest([], nil, end, isAcknowledged: rest.isAcknowledged))
            } else if received.isCut {
                arrival.next = self.end(with: .success(()))
            } else {
                received.isCut = end.failure != nil
                arrival.next = self.end(with: end.result)
            }
            return arrival
        case .discarded(let next):
            let body = Arrival.Body.dropped(rest)
            guard rest.end != nil else { return Arrival(body: body) }
            self = .ended(nil)
            return Arrival(body: body, next: .send(next))
        }
    }

    private func take(
        _ rest: Arrival.Rest, _ received: inout Reception.Received,
        to destination: Reception.Destination, within terms: ArrivalTerms
    ) -> Arrival {
        switch destination {
        case .memory: received.take(rest, for: .kept(isCounted: true), .memory, within: terms)
        case .stream(let channel):
            received.take(rest, for: .stream(channel), .streamed, within: terms)
        case .file(let file, _, let dropsBody):
            received.take(rest, for: dropsBody ? .dropped : .file(file), .streamed, within: terms)
        case .whole: Arrival()
        }
    }

    /// Ends the response, without anything to do with the rest of it.
    fileprivate mutating func end(as next: Arrival.Next) -> Arrival.Next {
        self = .ended(nil)
        return next
    }

    private mutating func end(
        with result: Result<Void, Exchange.Failure>, _ destination: Reception.Destination? = nil
    ) -> Arrival.Next {
        self = .ended(destination)
        return .end(result)
    }
}

// Findings about the head, and answers to questions.
extension Reception {
    /// Takes the finding about a head, and then the rest of the report.
    mutating func take(
        _ finding: HeadFinding, _ rest: Arrival.Rest, within terms: ArrivalTerms
    ) -> Arrival {
        let next = change { received, standing -> Arrival.Next? in
            guard case .judging = standing else { return nil }
            switch finding {
            case .turn(let turn): standing = .excerpt(turn)
            case .ask(let question, let judgement):
                received.judgement = judgement
                standing = .asking(question, end: nil)
                return .ask(question)
            case .accept(let judgement, let destination),
                .becomeDownload(let judgement, let destination, _):
                received.judgement = judgement
                standing = .accepted(destination)
            case .refuse(let judgement):
                received.judgement = judgement
                standing = .refused
            case .restart(let request?):
                standing = .discarded(next: request)
                return rest.end == nil ? .cut : .nothing
            case .restart(nil): return standing.end(as: .startOver)
            case .cancel: return standing.end(as: .cancel)
            case .fail(let error): return standing.end(as: .fail(error))
            }
            return .nothing
        }
        guard let next = next ?? nil else { return Arrival() }
        if case .arrived(_, .ended) = self { return Arrival(next: next) }
        var arrival = take(rest, within: terms)
        if case .nothing = next {} else if !arrival.hasFailed { arrival.next = next }
        return arrival
    }

    /// Continues with a response that was held back: it is the task's, or is judged.
    mutating func pass(within terms: ArrivalTerms) -> Arrival {
        let rest = change { received, standing -> (Arrival.Rest, isJudged: Bool)? in
            guard case .asking(let question, let end) = standing else { return nil }
            received.note(question)
            standing = .judging
            var isJudged = false
            if case .doubt = question {
                isJudged = true
                let destination: Destination =
                    if case .stream(let channel) = terms.flow { .stream(channel) } else { .memory }
                standing = .accepted(destination)
            }
            return (received.takeRest(end), isJudged)
        }
        guard let (rest, isJudged) = rest ?? nil else { return Arrival() }
        return isJudged ? take(rest, within: terms) : Arrival(next: .head(rest: rest))
    }

    /// Drops the rest of a response that was held back or accepted.
    mutating func discard(next: URLRequest) { change { $1 = .discarded(next: next) } }

    /// Whether the time for the body is limited, because the body is not delivered.
    func isUndelivered(within terms: ArrivalTerms) -> Bool {
        switch self {
        case .arrived(_, .excerpt): true
        case .arrived(let received, .refused): !terms.flow.isMemory && !received.isCut
        default: false
        }
    }

    /// Continues without the rest of a body that is not delivered.
    mutating func cut(within terms: ArrivalTerms) -> Arrival {
        guard isUndelivered(within: terms) else { return Arrival() }
        return change { received, standing in
            if case .excerpt(let turn) = standing {
                standing = .asking(.turn(turn), end: nil)
                return Arrival(next: .ask(.turn(turn)))
            }
            received.isCut = true
            return Arrival(next: .cut)
        } ?? Arrival()
    }

    /// Records that the whole body is in its file.
    mutating func complete(at url: URL) {
        change { _, standing in
            guard case .ended(.file(let file, _, _)?) = standing else { return }
            standing = .ended(.whole(file, at: url))
        }
    }

    /// Returns the head that is being judged, the questions about it, and what was found so far.
    mutating func headToJudge() -> (ResponseHead, Asked, Judgement)? {
        change { received, standing in
            guard case .judging = standing else { return nil }
            return (received.head, received.asked, received.judgement)
        } ?? nil
    }

    /// Makes sure that the body can be returned in one piece, or returns the error.
    mutating func lackOfMemory() -> BluebonnetError? {
        change { received, _ -> BluebonnetError? in
            received.body.makeRoom()
                ? nil : .transport(.noMemory(forBodyOf: received.body.count), .init())
        } ?? nil
    }

    /// Returns that error, or the one with which the head was refused if it concerns the body.
    mutating func verdict() -> BluebonnetError? {
        if let error = lackOfMemory() { return error }
        return change { received, _ -> BluebonnetError? in
            received.judgement.verdict?.relevant(toBodyOf: received.countOfJudged)
        } ?? nil
    }

    /// Returns head, whole body and trailers; the body is nil if there was no memory for it.
    mutating func parts() -> (head: ResponseHead?, data: Data?, trailers: [Exchange.Field]?)? {
        change { received, _ in (received.head, received.body.joined(), received.trailers) }
    }

    /// Returns the whole body; nil if none arrived, or if there was no memory for it.
    mutating func joinedBody() -> Data? { change { received, _ in received.body.joined() } ?? nil }

    /// Removes and returns the file of the response.
    mutating func takeFile() -> DownloadFile? {
        guard let file else { return nil }
        change { $1 = .ended(nil) }
        return file
    }

    var received: Received? { if case .arrived(let received, _) = self { received } else { nil } }

    var head: ResponseHead? {
        if case .arrived(let received, _) = self { received.head } else { nil }
    }

    /// The number of bytes that are kept in memory.
    var bodyCount: Int { mutating get { change { received, _ in received.body.count } ?? 0 } }

    /// Whether the body of a refused response is incomplete.
    var isCut: Bool { mutating get { change { received, _ in received.isCut } ?? false } }

    /// Whether the answer to a question about the response is awaited.
    var isAsking: Bool { if case .arrived(_, .asking) = self { true } else { false } }

    var destination: Destination? {
        switch self {
        case .arrived(_, .accepted(let destination)): destination
        case .arrived(_, .ended(let destination)): destination
        default: nil
        }
    }

    /// The file of the response, if it has one.
    var file: DownloadFile? {
        switch destination {
        case .file(let file, _, _)?, .whole(let file, _)?: file
        default: nil
        }
    }
}

extension Exchange.End {
    fileprivate var result: Result<Void, Exchange.Failure> {
        failure.map { .failure($0) } ?? .success(())
    }
}

extension Exchange.Failure {
    /// The failure of a transport that breaks its contract.
    static func misconduct(_ what: String) -> Self {
        Self(
            .badServerResponse,
            message: "the transport reported \(what); it must report a head, the body and one end"
        )
    }

    static let endIsMissing = misconduct("no end within a second of a cancel")

    /// Whether the server's response caused the failure, and not a timeout, the request or a
    /// cancel.
    var isOfResponse: Bool {
        guard timeout == nil, !needsNewBodyStream else { return false }
        switch code {
        case .badServerResponse, .cannotDecodeContentData, .dataLengthExceedsMaximum,
            .networkConnectionLost:
            return true
        default: return false
        }
    }
}
