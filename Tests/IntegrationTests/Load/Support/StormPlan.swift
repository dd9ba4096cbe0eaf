import BluebonnetTestSupport

/// The request of one task in a storm, and the moment of its cancel.
struct StormPlan: Sendable {
    enum Kind: CaseIterable, Sendable {
        case data, uploadFile, uploadStream, download, stream
    }

    /// The target of the task, which determines the stages that a cancel can meet.
    enum Target: CaseIterable, Sendable {
        case small, large, redirected, challenged, delayed
        /// No head ever arrives, or the body has no end.
        case silent, endless
        /// A name that is looked up, one that does not exist, which can take resolvers long, and
        /// one that is invalid.
        case namedHost, unknownHost, impossibleHost
        /// A listener with a full queue, a server that does not answer TLS, and one that does.
        case unreachable, silentTLS, secure

        /// Whether the task completes by itself.
        var ends: Bool {
            switch self {
            case .silent, .endless, .unknownHost, .unreachable, .silentTLS: false
            default: true
            }
        }

        var isLookUpFailure: Bool { self == .unknownHost || self == .impossibleHost }
    }

    enum Moment: CaseIterable, Sendable {
        case neverResumed, beforeResume, atOnce, later, whileSuspended, afterSuspended
        case onHead, onRedirect, onChallenge, onBody, onSending, onOpeningStream
        case onDestination, onWriting, onMoving, onCompletion, afterEnd, never

        /// Whether the task must have completed by itself if its target lets it.
        var isTooLate: Bool { [.onCompletion, .afterEnd, .never].contains(self) }
        /// Whether the task must not have had any effect.
        var isFirst: Bool { self == .neverResumed || self == .beforeResume }
    }

    let number: Int
    let kind: Kind
    let target: Target
    let moment: Moment
    /// The delay before a cancel that waits for no event, and the reader's pause, in microseconds.
    let delay: Int
    /// Whether a download is canceled with resume data.
    let producesResumeData: Bool

    init(number: Int, using generator: inout SeededGenerator) {
        self.number = number
        let kind = Kind.allCases.randomElement(using: &generator) ?? .data
        self.kind = kind
        // A canceled look-up keeps its thread while the resolver tries, up to 20 seconds, so there
        // are few.
        let isLookUp = Int.random(in: 0..<500, using: &generator) == 0
        let others = Target.allCases.filter { $0 != .unknownHost }
        target = isLookUp ? .unknownHost : others.randomElement(using: &generator) ?? .small
        let moments = Moment.allCases.filter { moment in
            switch moment {
            // A stream starts with its task running.
            case .neverResumed, .whileSuspended, .afterSuspended: kind != .stream
            case .onOpeningStream: kind == .uploadStream
            case .onSending: kind == .uploadFile || kind == .uploadStream
            case .onDestination, .onWriting, .onMoving: kind == .download
            case .onHead, .onBody: kind != .download
            default: true
            }
        }
        moment = moments.randomElement(using: &generator) ?? .later
        // Short delays are more frequent, because most stages are short.
        let longest = [200, 2_000, 20_000].randomElement(using: &generator) ?? 200
        delay = Int.random(in: 0..<longest, using: &generator)
        producesResumeData = Bool.random(using: &generator)
    }

    var mustBeCancelled: Bool {
        moment.isFirst || (!target.ends && !target.isLookUpFailure)
    }
    var mustNotBeCancelled: Bool { target.ends && moment.isTooLate }
}
