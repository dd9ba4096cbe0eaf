import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What follows from a report about a response, or from a finding about its head.
struct Arrival: ~Copyable {
    /// The body bytes that arrived.
    var body: Body?
    var next = Next.nothing

    enum Next {
        case nothing
        /// The head has to be judged, and the rest of the report follows then.
        case head(rest: Rest)
        case ask(Reception.Question)
        case end(Result<Void, Exchange.Failure>)
        case send(URLRequest)
        /// The rest of the response is not needed.
        case cut
        /// The response does not continue the file, which another attempt requests as a whole.
        case startOver
        case cancel
        case fail(BluebonnetError)
    }

    /// Body bytes, and where they go.
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

        /// Whether the bytes belong to the task's response.
        var isCounted: Bool {
            switch self {
            case .dropped, .kept(isCounted: false): false
            case .kept, .stream, .file: true
            }
        }
    }

    /// The part of a report that follows its head, and that waits until the head is judged.
    struct Rest {
        let chunks: [Exchange.Chunk]
        /// The number of bytes.
        let size: Int
        let trailers: [Exchange.Field]?
        let end: Exchange.End?
        /// Whether the transfer was told already that the bytes no longer need memory.
        let isAcknowledged: Bool

        init(
            _ chunks: [Exchange.Chunk], _ trailers: [Exchange.Field]?, _ end: Exchange.End?,
            isAcknowledged: Bool = false
        ) {
            self.chunks = chunks
            self.trailers = trailers
            self.end = end
            self.isAcknowledged = isAcknowledged
            size = chunks.reduce(0) { $0 + $1.count }
        }

        /// Returns the rest with no more than so many bytes, which are copied where a chunk is cut.
        func prefix(_ count: Int) -> Self {
            var room = max(0, count)
            var first: [Exchange.Chunk] = []
            for chunk in chunks where room > 0 {
                let isWhole = chunk.count <= room
                first.append(
                    isWhole ? chunk : .init(chunk.withUnsafeBytes { Data($0.prefix(room)) }))
                room -= min(room, chunk.count)
            }
            return Self(first, trailers, end, isAcknowledged: isAcknowledged)
        }
    }
}

/// The bounds of a response's body.
struct ArrivalTerms {
    let limits: ResponseLimits
    /// The size of the largest body that any serializer of the task can read; nil for any size.
    let documentSize: Int?
    let flow: BodyFlow
}

// The body of a response on its way into the value.
extension Reception.Received {
    /// The limit that applies to a body.
    enum Limit {
        /// That of a task's response in memory.
        case memory
        case streamed
        /// That of other responses, far above the size that a paused transport can still deliver.
        case heldBack
    }

    mutating func note(_ question: Reception.Question) {
        switch question {
        case .turn: asked.insert(.turn)
        case .handler: asked.insert(.handler)
        case .doubt: break
        }
    }

    /// The number of bytes of the body; of a body that was cut, at least one.
    var countOfJudged: Int { isCut ? max(1, body.count) : body.count }

    /// Takes the body of a refused response, which is cut if it is collected for the error alone.
    mutating func takeErrorBody(_ rest: Arrival.Rest, within terms: ArrivalTerms) -> Arrival {
        let use = Arrival.Use.kept(isCounted: !terms.flow.isDownload)
        guard !terms.flow.isMemory, !head.cannotHaveBody else {
            return take(rest, for: use, .memory, within: terms)
        }
        guard !isCut else { return Arrival(body: .dropped(rest)) }
        let room = terms.limits.errorBodySize - size
        isCut = rest.size > room
        return take(isCut ? rest.prefix(room) : rest, for: use, .heldBack, within: terms)
    }

    /// Removes and returns what was held back, before an end.
    mutating func takeRest(_ end: Exchange.End?) -> Arrival.Rest {
        defer { (body, size) = (BodyCollector(), 0) }
        return Arrival.Rest(body.chunks, trailers, end, isAcknowledged: true)
    }

    /// Takes the body of a report, and returns where it goes.
    mutating func take(
        _ rest: Arrival.Rest, for use: Arrival.Use, _ limit: Limit, within terms: ArrivalTerms
    ) -> Arrival {
        if let trailers = rest.trailers { self.trailers = trailers }
        guard !rest.chunks.isEmpty else { return Arrival() }
        size += rest.size
        // Content that HTTP does not allow is dropped here, so that verbs, downloads and streams
        // treat it alike.
        let isDropped = head.cannotHaveBody
        if let failure = terms.limits.failure(ofBody: size, isDropped ? .heldBack : limit) {
            return .failing(failure)
        }
        if isDropped { return Arrival(body: .dropped(rest)) }
        if case .memory = limit, let largest = terms.documentSize, size > largest {
            return Arrival(next: .fail(.bodyTooLarge(largest, judgement.verdict)))
        }
        if case .kept = use { body.append(rest.chunks) }
        return Arrival(
            body: Arrival.Body(
                chunks: rest.chunks, size: rest.size, use: use,
                isAcknowledged: rest.isAcknowledged))
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
        guard rest.size > 0 else { return nil }
        return Self(
            chunks: [], size: rest.size, use: .dropped, isAcknowledged: rest.isAcknowledged)
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
