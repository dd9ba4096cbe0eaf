import Bluebonnet

/// The interactions of a cassette, each of which answers one request.
final class CassetteTape: Sendable {
    enum Claim: Sendable {
        case found(Interaction)
        /// No interaction answers the request; the message describes why.
        case missing(String)
    }

    private struct State {
        var isUsed: [Bool]
        /// The index after that of the interaction that was used last.
        var position = 0
        var problems: [String] = []
    }

    let interactions: [Interaction]
    private let file: URL
    private let matching: CassetteMatching
    private let redaction: Redactor
    private let state: Locked<State>

    init(
        _ interactions: [Interaction], of file: URL, _ matching: CassetteMatching,
        _ redaction: Redactor
    ) {
        self.interactions = interactions
        self.file = file
        self.matching = matching
        self.redaction = redaction
        state = Locked(State(isUsed: Array(repeating: false, count: interactions.count)))
    }

    /// The index for a new interaction, after the interaction that was used last.
    var position: Int { state.withLock { $0.position } }

    /// Finds the interaction that answers a request, and marks it as used.
    ///
    /// - Parameters:
    ///   - request: The request, with its body.
    ///   - skips: Whether interactions can be skipped, even if requests must come in order.
    /// - Returns: The interaction, or the reason why there is none.
    func claim(_ request: RecordedRequest, skips: Bool) -> Claim {
        let fitting = interactions.indices.filter { index in
            RequestComparison(
                actual: request, recorded: interactions[index].request, matching: matching
            ).isMatch
        }
        let isOrdered = matching.comparesOrder && !skips
        let (found, isUsed) = state.withLock { state -> (Int?, [Bool]) in
            let found =
                isOrdered
                ? state.isUsed.firstIndex(of: false).flatMap { fitting.contains($0) ? $0 : nil }
                : fitting.first { !state.isUsed[$0] }
            if let found { (state.isUsed[found], state.position) = (true, found + 1) }
            return (found, state.isUsed)
        }
        if let found { return .found(interactions[found]) }
        return .missing(message(for: request, fitting: fitting, isUsed))
    }

    func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

    /// Messages about requests without an interaction, and about unused interactions.
    var problems: [String] {
        let (problems, isUsed) = state.withLock { ($0.problems, $0.isUsed) }
        let unused = interactions.indices.filter { !isUsed[$0] }.map { index in
            "no request matched \(name(index)), \(interactions[index].request.summary)"
        }
        return problems + unused
    }

    // MARK: Errors

    private func name(_ index: Int) -> String {
        "interaction \(index + 1) (line \(interactions[index].line))"
    }

    private func message(
        for request: RecordedRequest, fitting: [Int], _ isUsed: [Bool]
    ) -> String {
        let shown = request.redacted(by: redaction)
        let hint: String
        if interactions.isEmpty {
            hint = "the cassette has no interactions"
        } else if let later = fitting.first(where: { !isUsed[$0] }) {
            let next = isUsed.firstIndex(of: false) ?? later
            hint =
                "\(name(later)) does, but \(name(next)), \(interactions[next].request.summary), comes "
                + "before it; if the order does not matter, set comparesOrder to false"
        } else if let used = fitting.first {
            hint = "\(name(used)) does, but has already answered an earlier request"
        } else {
            hint = nearest(to: shown, isUsed)
        }
        return "no interaction of the cassette \(file.path) matches \(shown.summary): \(hint). "
            + "Fix the request, or record it with \(CassetteMode.variable)=record-missing"
    }

    /// Describes the interaction that differs the least, and its differences; prefers unused ones.
    private func nearest(to request: RecordedRequest, _ isUsed: [Bool]) -> String {
        let candidates = interactions.indices.map { index in
            let comparison = RequestComparison(
                actual: request, recorded: interactions[index].request, matching: matching)
            return (index, comparison.differences)
        }
        let nearest = candidates.min { left, right in
            let weights = [left, right].map { candidate in
                candidate.1.reduce(0) { $0 + $1.weight } + (isUsed[candidate.0] ? 1 : 0)
            }
            return weights[0] < weights[1]
        }
        guard let (index, differences) = nearest else { return "the cassette has no interactions" }
        let texts = differences.map(\.text)
        let reason = texts.isEmpty ? "they differ only in secrets" : texts.joined(separator: "; ")
        return
            "the nearest is \(name(index)), \(interactions[index].request.summary): \(reason)"
    }
}
