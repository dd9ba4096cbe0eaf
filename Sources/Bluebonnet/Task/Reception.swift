import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What the response of an exchange is, from its head to its end.
///
///     awaiting its head ─▶ judged ─▶ accepted ───────────┐
///                           │  ▲  ─▶ refused ────────────┤
///                           ▼  │ it is the response      ▼
///          excerpt ─▶ somebody is asked ─▶ discarded ─▶ ended
///
/// It is a value that is changed under the task's lock. What a task waits for is the stage of its
/// ``TaskRun``.
enum Reception {
    case awaitingHead
    /// The head is being judged, outside the lock.
    case judging(Received)
    /// The body of a redirect or challenge is read to its end or to 64 KiB, whichever comes first.
    case excerpt(Received, of: Turn)
    /// Somebody decides what becomes of the response, and what still arrives is held back.
    case asking(Held, Question)
    case accepted(Received, Destination)
    /// The response is refused, and its body is kept for the error.
    case refused(Received)
    /// The rest of the response is dropped, and the request is sent after its end.
    case discarded(Received, next: URLRequest)
    /// The response has ended; the head is nil if none arrived.
    case ended(Received?, Destination?)

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
        var judgement = Judgement()
        /// The trailer fields; nil if there are none.
        var trailers: [Exchange.Field]?
        var asked: Asked = []

        init(_ head: ResponseHead) { self.head = head }
    }

    /// A response that is held back, with its end if that has arrived.
    struct Held {
        var received: Received
        var end: Exchange.End?
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
    /// The largest excerpt of a redirect's or challenge's body, in bytes.
    ///
    /// A shorter body is read to its end, so that the connection can be kept.
    private static var largestExcerpt: Int { 64 * 1024 }

    /// Takes the part of a report about the response.
    mutating func take(
        _ report: consuming Exchange.Report, of sent: SentRequest?, within terms: ArrivalTerms
    ) -> Arrival {
        if case .awaitingHead = self { return begin(report, of: sent, within: terms) }
        if report.head != nil { return .failing(.misconduct("a second head")) }
        return take(Arrival.Rest(report: report), within: terms)
    }

    private mutating func begin(
        _ report: consuming Exchange.Report, of sent: SentRequest?, within terms: ArrivalTerms
    ) -> Arrival {
        guard let head = report.head.take(), let sent, let url = sent.location else {
            if !report.body.isEmpty {
                return .failing(.misconduct("a body without a head before it"))
            }
            guard let end = report.end else { return Arrival() }
            guard let failure = end.failure else {
                return .failing(.misconduct("an end without a head or a failure before it"))
            }
            self = .ended(nil, nil)
            return Arrival(next: .end(.failure(failure)))
        }
        if let failure = terms.limits.failure(of: head) { return .failing(failure) }
        let received = Received(
            ResponseHead(
                head, url: url, requestMethod: sent.method, codings: report.codings.take()))
        self = .judging(received)
        return Arrival(next: .head(received, rest: Arrival.Rest(report: report)))
    }

    /// Takes body, trailers and end of a response whose head has arrived.
    private mutating func take(
        _ rest: consuming Arrival.Rest, within terms: ArrivalTerms
    ) -> Arrival {
        if let trailers = rest.report.trailers,
            let failure = terms.limits.failure(ofTrailer: trailers)
        {
            return .failing(failure)
        }
        // Moved out of the value, because a copy of the body would have to be made to change it.
        var former = Reception.awaitingHead
        swap(&former, &self)
        switch consume former {
        case .judging(let received):
            self = .judging(received)
            return Arrival()
        case .excerpt(var received, let turn):
            return take(rest, after: &received, of: turn, within: terms)
        case .asking(var held, let question):
            let arrival = held.received.keep(rest, isCounted: false, within: terms)
            held.end = held.end ?? rest.report.end
            self = .asking(held, question)
            return arrival
        case .accepted(var received, let destination):
            return take(rest, after: &received, to: destination, within: terms)
        case .refused(var received):
            let isCounted = !terms.isDownload
            var arrival = received.keep(
                rest, isCounted: isCounted, isAnswer: true, within: terms)
            guard !arrival.hasFailed, let end = rest.report.end else {
                self = .refused(received)
                return arrival
            }
            // An empty body has no content type to refuse.
            if end.failure == nil, terms.isDownload, received.body.count == 0,
                case .unacceptableContentType? = received.judgement.verdict
            {
                received.asked.insert(.emptyBody)
                self = .judging(received)
                arrival.next = .head(
                    received,
                    rest: Arrival.Rest(
                        report: Exchange.Report(end: end), isAcknowledged: rest.isAcknowledged))
                return arrival
            }
            self = .ended(received, nil)
            arrival.next = .end(end.result)
            return arrival
        case .discarded(let received, let next):
            let arrival = Arrival(body: .dropped(rest))
            guard rest.report.end != nil else {
                self = .discarded(received, next: next)
                return arrival
            }
            self = .ended(received, nil)
            return Arrival(body: arrival.body, next: .send(next))
        case .ended(let received, let destination):
            self = .ended(received, destination)
            return Arrival()
        case .awaitingHead: return Arrival()
        }
    }

    private mutating func take(
        _ rest: Arrival.Rest, after received: inout Received, of turn: Turn,
        within terms: ArrivalTerms
    ) -> Arrival {
        var arrival = received.keep(rest, isCounted: false, within: terms)
        if arrival.hasFailed {
            self = .excerpt(received, of: turn)
            return arrival
        }
        let end = rest.report.end
        // The head alone determines what follows, so it does not need the whole body.
        if let failure = end?.failure, !failure.isOfResponse {
            self = .ended(received, nil)
            arrival.next = .end(.failure(failure))
        } else if end != nil || received.body.count > Self.largestExcerpt {
            self = .asking(Held(received: received, end: end), .turn(turn))
            arrival.next = .ask(.turn(turn))
        } else {
            self = .excerpt(received, of: turn)
        }
        return arrival
    }

    private mutating func take(
        _ rest: Arrival.Rest, after received: inout Received, to destination: Destination,
        within terms: ArrivalTerms
    ) -> Arrival {
        var arrival: Arrival
        switch destination {
        case .memory:
            arrival = received.keep(rest, isCounted: true, isAnswer: true, within: terms)
        case .stream(let channel):
            arrival = received.pass(rest, to: .stream(channel), destination, within: terms)
        case .file(let file, _, let dropsBody):
            arrival = received.pass(
                rest, to: dropsBody ? .dropped : .file(file), destination, within: terms)
        case .whole: arrival = Arrival()
        }
        guard !arrival.hasFailed, let end = rest.report.end else {
            self = .accepted(received, destination)
            return arrival
        }
        self = .ended(received, destination)
        arrival.next = .end(end.result)
        return arrival
    }
}

// Findings about the head, and answers to questions.
extension Reception {
    /// Takes the finding about a head, and then the rest of the report.
    mutating func take(
        _ finding: HeadFinding, _ rest: consuming Arrival.Rest, within terms: ArrivalTerms
    ) -> Arrival {
        guard case .judging(var received) = self else { return Arrival() }
        switch finding {
        case .turn(let turn): self = .excerpt(received, of: turn)
        case .ask(let question, let judgement):
            received.judgement = judgement
            self = .asking(Held(received: received), question)
            var arrival = take(rest, within: terms)
            if !arrival.hasFailed { arrival.next = .ask(question) }
            return arrival
        case .accept(let judgement, let destination),
            .becomeDownload(let judgement, let destination, _):
            received.judgement = judgement
            self = .accepted(received, destination)
        case .refuse(let judgement):
            received.judgement = judgement
            self = .refused(received)
        case .sendAgain(let next): self = .discarded(received, next: next)
        case .cancel, .fail, .startOver:
            self = .ended(received, nil)
            return Arrival()
        }
        return take(rest, within: terms)
    }

    /// Continues with a response that was held back: it is the task's, or is judged.
    mutating func pass(within terms: ArrivalTerms) -> Arrival {
        guard case .asking(var held, let question) = self else { return Arrival() }
        held.received.note(question)
        var rest = Arrival.Rest(report: Exchange.Report(), isAcknowledged: true)
        rest.report.body = held.received.takeBody()
        rest.report.trailers = held.received.trailers
        rest.report.end = held.end
        guard case .doubt = question else {
            self = .judging(held.received)
            return Arrival(next: .head(held.received, rest: rest))
        }
        if case .stream(let channel) = terms.flow {
            self = .accepted(held.received, .stream(channel))
        } else {
            self = .accepted(held.received, .memory)
        }
        return take(rest, within: terms)
    }

    /// Drops the rest of a response that was held back or accepted.
    mutating func discard(next: URLRequest) {
        guard let received else { return }
        self = .discarded(received, next: next)
    }

    /// Records that the whole body is in its file.
    mutating func complete(at url: URL) {
        guard case .ended(let received, .file(let file, _, _)?) = self else { return }
        self = .ended(received, .whole(file, at: url))
    }

    /// Makes sure that the body can be returned in one piece, or returns false.
    mutating func makeRoom() -> Bool { change { $0.body.makeRoom() } ?? true }

    /// Returns the whole body; nil if none arrived, or if there was no memory for it.
    mutating func joinedBody() -> Data? { change { $0.body.joined() } ?? nil }

    private mutating func change<Result>(_ body: (inout Received) -> Result) -> Result? {
        // Moved out of the value, because a copy of the body would have to be made to change it.
        var former = Reception.awaitingHead
        swap(&former, &self)
        let result: Result
        switch consume former {
        case .judging(var received):
            result = body(&received)
            self = .judging(received)
        case .excerpt(var received, let turn):
            result = body(&received)
            self = .excerpt(received, of: turn)
        case .asking(var held, let question):
            result = body(&held.received)
            self = .asking(held, question)
        case .accepted(var received, let destination):
            result = body(&received)
            self = .accepted(received, destination)
        case .refused(var received):
            result = body(&received)
            self = .refused(received)
        case .discarded(var received, let next):
            result = body(&received)
            self = .discarded(received, next: next)
        case .ended(var received?, let destination):
            result = body(&received)
            self = .ended(received, destination)
        case .ended(nil, let destination):
            self = .ended(nil, destination)
            return nil
        case .awaitingHead: return nil
        }
        return result
    }

    /// Removes and returns the file of the response.
    mutating func takeFile() -> DownloadFile? {
        guard let file else { return nil }
        self = .ended(received, nil)
        return file
    }
}

extension Reception {
    var received: Received? {
        switch self {
        case .awaitingHead: nil
        case .judging(let received), .excerpt(let received, _), .accepted(let received, _),
            .refused(let received), .discarded(let received, _):
            received
        case .asking(let held, _): held.received
        case .ended(let received, _): received
        }
    }

    var destination: Destination? {
        switch self {
        case .accepted(_, let destination): destination
        case .ended(_, let destination): destination
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
