import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTransport

/// The random choices of one task's life: what its server answers, and what disturbs it.
struct TaskLifePlan {
    enum Kind: CaseIterable { case data, upload, stream, download }

    /// A way in which a transport breaks its contract.
    enum Misconduct: CaseIterable {
        case secondHead, bodyBeforeHead, endWithoutHead
        /// Reports after the end, which are ignored, also once the next exchange has begun.
        case afterEnd, afterNext
    }

    /// The answer of the server to one request.
    struct Answer {
        enum Role { case final, redirect, challenge }

        var role = Role.final
        var status: Int
        var size: Int
        /// The number of body bytes after which the connection is lost, or -1 before the head.
        var lostAfter: Int?
        var misconduct: Misconduct?
        /// The size of the pieces in which the body arrives.
        var pieceSize: Int
        /// Whether the head, the first pieces and the end come in as few reports as possible.
        var isGathered: Bool

        /// Whether nothing gives the session a reason to cancel the exchange.
        var isReadToEnd: Bool {
            guard role == .final else { return size <= 64 * 1024 }
            return status == 200 && !isMisconduct
        }

        /// Whether the response fails because the transport breaks its contract.
        var isMisconduct: Bool {
            switch misconduct {
            case .secondHead, .bodyBeforeHead, .endWithoutHead: true
            case .afterEnd, .afterNext, nil: false
            }
        }
    }

    struct Attempt {
        /// Redirects and challenges, and then the response of the attempt.
        var answers: [Answer]
        /// Whether the retrier, if it is asked, wants another attempt.
        var isRetried: Bool
    }

    /// How long a hook, adapter or retrier takes to answer.
    enum Pace: CaseIterable { case atOnce, yielding, onAnotherThread }

    enum Disturbance {
        case cancelBefore, cancelBeside, cancelInHandler
        /// The number counts the reports of all exchanges, from 0.
        case cancelAt(report: Int, beside: Bool)
        case suspendAt(report: Int, beside: Bool)
        /// The number counts the calls of all hooks and interceptors, from 0.
        case cancelInQuestion(Int), suspendInQuestion(Int)
    }

    var kind: Kind
    var attempts: [Attempt]
    var hasInterceptor: Bool
    var hasHooks: Bool
    /// Whether the hook refuses redirects.
    var declinesRedirects: Bool
    var adapterPace: Pace
    var retrierPace: Pace
    var hookPace: Pace
    var disturbance: Disturbance?
    /// Whether the transport reports within `begin()`.
    var isImmediate: Bool
    /// Whether the server can send the rest of a file.
    var sendsRanges: Bool

    init(_ random: inout SeededGenerator) {
        func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        func chance(_ one: Int) -> Bool { draw(one) == 0 }
        func pick<Value>(_ values: [Value]) -> Value { values[draw(values.count)] }

        kind = pick(Kind.allCases)
        hasInterceptor = chance(2)
        hasHooks = chance(2)
        declinesRedirects = hasHooks && chance(4)
        (adapterPace, retrierPace) = (pick(Pace.allCases), pick(Pace.allCases))
        hookPace = pick(Pace.allCases)
        isImmediate = chance(4)
        sendsRanges = chance(2)
        let wholeSize = pick([0, 1, 100, 5_000, 90_000])
        let (kind, hasHooks, declines) = (kind, hasHooks, declinesRedirects)

        func answer(_ role: Answer.Role = .final) -> Answer {
            let status: Int
            switch role {
            case .final: status = pick([200, 200, 200, 404, 500])
            case .redirect: status = pick([302, 307])
            case .challenge: status = 401
            }
            let isWhole = kind == .download && status == 200
            var answer = Answer(
                role: role, status: status,
                size: isWhole ? wholeSize : pick([0, 1, 100, 5_000, 90_000]),
                pieceSize: pick([1_000, 7_000, 64 * 1024]), isGathered: chance(2))
            guard role == .final else { return answer }
            switch draw(8) {
            case 0 where status == 200: answer.lostAfter = draw(answer.size + 2) - 1
            case 1: answer.misconduct = pick(Misconduct.allCases)
            default: break
            }
            return answer
        }

        attempts = (0..<1 + draw(3)).map { _ in
            var answers: [Answer] = []
            if chance(3) { answers.append(answer(.redirect)) }
            if hasHooks, chance(5) { answers.append(answer(.challenge)) }
            if declines, let index = answers.firstIndex(where: { $0.role == .redirect }) {
                answers = Array(answers[...index])
                answers[index].role = .final
            } else {
                answers.append(answer())
            }
            return Attempt(answers: answers, isRetried: chance(2))
        }
        guard chance(2) else { return }
        let place = draw(8)
        switch draw(9) {
        case 0: disturbance = .cancelBefore
        case 1: disturbance = .cancelBeside
        case 2: disturbance = .cancelInHandler
        case 3: disturbance = .cancelAt(report: place, beside: chance(2))
        case 4: disturbance = .cancelInQuestion(draw(5))
        case 5, 6: disturbance = .suspendInQuestion(draw(5))
        default: disturbance = .suspendAt(report: place, beside: chance(2))
        }
    }

    /// All choices, for a failed walk.
    var choices: String {
        var text = ""
        dump(self, to: &text)
        return text
    }
}

extension TaskLifePlan {
    /// How a task ended, as its caller sees it.
    enum Ending: Hashable {
        case received(byteCount: Int)
        case refused(status: Int)
        case failed
        case cancelled
        /// The handler received something that no server sent.
        case wrong(String)
    }

    /// The life that the plan leads to if nothing disturbs it.
    struct Course {
        var ending: Ending
        var exchangeCount: Int
        var attemptCount: Int
        var questionCount: Int
        /// The first byte that each exchange asks for; nil for the whole body.
        var firstBytes: [Int?] = []
    }

    /// Whether the task can end as canceled.
    var mayBeCancelled: Bool {
        switch disturbance {
        case .cancelBefore, .cancelBeside, .cancelAt, .cancelInQuestion: true
        case .cancelInHandler, .suspendAt, .suspendInQuestion, nil: false
        }
    }

    var course: Course {
        var course = Course(ending: .failed, exchangeCount: 0, attemptCount: 0, questionCount: 0)
        var size = 0
        for (number, attempt) in attempts.enumerated() {
            course.attemptCount += 1
            course.exchangeCount += attempt.answers.count
            course.firstBytes += attempt.answers.map { _ in size > 0 ? size : nil }
            guard let answer = attempt.answers.last else { continue }
            size = fileSize(after: answer, size)
            course.ending = ending(of: answer)
            if case .received = course.ending { return course }
            guard hasInterceptor, asksRetriers(about: answer) else { return course }
            course.questionCount += 1
            guard attempt.isRetried, number + 1 < attempts.count else { return course }
        }
        return course
    }

    private func ending(of answer: Answer) -> Ending {
        if answer.isMisconduct || answer.lostAfter != nil { return .failed }
        return answer.status == 200
            ? .received(byteCount: answer.size) : .refused(status: answer.status)
    }

    /// The size of the file that the next attempt continues after a response that failed.
    private func fileSize(after answer: Answer, _ size: Int) -> Int {
        guard kind == .download, sendsRanges, answer.status == 200 else { return size }
        let start = size < answer.size ? size : 0
        switch answer.misconduct {
        case .bodyBeforeHead, .endWithoutHead: return size
        case .secondHead:
            return answer.isGathered ? min(answer.size, start + 2 * answer.pieceSize) : start
        case .afterEnd, .afterNext, nil: break
        }
        guard let lostAfter = answer.lostAfter, lostAfter >= 0 else { return size }
        return max(start, min(lostAfter, answer.size))
    }

    /// Whether retriers are asked about a response that was not accepted.
    ///
    /// The reader of a stream has the head of an accepted response, so that it cannot be replaced.
    private func asksRetriers(about answer: Answer) -> Bool {
        guard kind == .stream, answer.status == 200 else { return true }
        switch answer.misconduct {
        case .bodyBeforeHead, .endWithoutHead: return true
        case .secondHead: return false
        case .afterEnd, .afterNext, nil: return answer.lostAfter == -1
        }
    }
}
