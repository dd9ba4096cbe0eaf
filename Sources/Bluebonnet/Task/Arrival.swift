import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What follows from a report about a response, or from a finding about its head.
struct Arrival {
    /// The body bytes that arrived, and where they go.
    var body: Body?
    var next = Next.nothing

    enum Next {
        case nothing
        /// The head has to be judged, and the rest of the report follows then.
        case head(Reception.Received, rest: Rest)
        case ask(Reception.Question)
        case end(Result<Void, Exchange.Failure>)
        case send(URLRequest)
        case fail(BluebonnetError)
    }

    struct Body {
        let chunks: [Exchange.Chunk]
        let size: Int
        let use: Use
        /// Whether the transfer was told already that the bytes no longer need memory.
        let isAcknowledged: Bool
    }

    enum Use {
        case dropped
        /// The bytes are kept in memory, and belong to the task's response if they are counted.
        case kept(isCounted: Bool)
        case stream(ResponseChannel)
        case file(DownloadFile)
    }

    /// The part of a report that waits until the head is judged.
    struct Rest {
        var report: Exchange.Report
        var isAcknowledged = false
    }
}

/// The bounds of a response's body.
struct ArrivalTerms {
    let limits: ResponseLimits
    /// The size of the largest body that any serializer of the task can read; nil for any size.
    let documentSize: Int?
    let flow: BodyFlow

    var isDownload: Bool { if case .file = flow { true } else { false } }
}

// The body of a response on its way into the value.
extension Reception.Received {
    mutating func note(_ question: Reception.Question) {
        switch question {
        case .turn: asked.insert(.turn)
        case .handler: asked.insert(.handler)
        case .doubt: break
        }
    }

    /// Removes and returns the body.
    mutating func takeBody() -> [Exchange.Chunk] {
        defer { (body, size) = (BodyCollector(), 0) }
        return body.chunks
    }

    /// Keeps the body of a report in memory.
    ///
    /// An answer is bounded like any body, and other responses far above the size that a paused
    /// transport can still deliver.
    mutating func keep(
        _ rest: Arrival.Rest, isCounted: Bool, isAnswer: Bool = false, within terms: ArrivalTerms
    ) -> Arrival {
        take(
            rest, as: .kept(isCounted: isCounted), within: terms,
            bounded: isAnswer ? .memory : nil)
    }

    /// Passes the body of a report on to its destination.
    mutating func pass(
        _ rest: Arrival.Rest, to use: Arrival.Use, _ destination: Reception.Destination,
        within terms: ArrivalTerms
    ) -> Arrival {
        take(rest, as: use, within: terms, bounded: destination)
    }

    private mutating func take(
        _ rest: Arrival.Rest, as use: Arrival.Use, within terms: ArrivalTerms,
        bounded destination: Reception.Destination?
    ) -> Arrival {
        if let trailers = rest.report.trailers { self.trailers = trailers }
        let chunks = rest.report.body
        guard !chunks.isEmpty else { return Arrival() }
        let count = chunks.reduce(0) { $0 + $1.count }
        size += count
        // Content that HTTP does not allow is dropped here, so that verbs, downloads and streams
        // treat it alike.
        let isDropped = head.cannotHaveBody
        let inMemory = if case .memory? = destination { true } else { false }
        let failure =
            isDropped || destination == nil
            ? terms.limits.failure(ofHeldBody: size)
            : terms.limits.failure(ofBody: size, inMemory: inMemory)
        if let failure { return .failing(failure) }
        if isDropped { return Arrival(body: .dropped(rest)) }
        if inMemory, let limit = terms.documentSize, size > limit {
            return Arrival(next: .fail(.bodyTooLarge(limit, judgement.verdict)))
        }
        if case .kept = use { body.append(chunks) }
        return Arrival(
            body: Arrival.Body(
                chunks: chunks, size: count, use: use, isAcknowledged: rest.isAcknowledged))
    }
}

extension Arrival {
    static func failing(_ failure: Exchange.Failure) -> Arrival {
        Arrival(next: .fail(.transport(failure, .init())))
    }

    var hasFailed: Bool { if case .fail = next { true } else { false } }
}

extension Arrival.Body {
    static func dropped(_ rest: Arrival.Rest) -> Self? {
        let size = rest.report.body.reduce(0) { $0 + $1.count }
        guard size > 0 else { return nil }
        return Self(chunks: [], size: size, use: .dropped, isAcknowledged: rest.isAcknowledged)
    }
}

extension BluebonnetError {
    /// Returns the error of a body with more bytes than any serializer of the task can read.
    ///
    /// An error of the head takes precedence.
    static func bodyTooLarge(_ limit: Int, _ verdict: BluebonnetError?) -> BluebonnetError {
        let cause = ResponseSerializationError.bodyTooLarge(limit)
        let error = BluebonnetError.unreadableBody("\(cause)", .init(underlying: cause))
        guard case .unacceptableStatus(let code, var context)? = verdict else {
            return verdict ?? error
        }
        context.underlying = context.underlying ?? error
        return .unacceptableStatus(code, context)
    }
}
