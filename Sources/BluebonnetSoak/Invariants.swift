import Foundation
import Glibc

/// The conditions that must hold during a run and after each of its rounds.
final class Invariants {
    /// The seconds that a busy machine can take for an action that is expected at once.
    static let patience = 5.0

    private let ledger: Ledger
    private let directory: URL
    /// The resources that were held after each round.
    private var states: [HeldResources] = []
    private var hasComplainedOfAge = false

    init(_ ledger: Ledger, directory: URL) {
        self.ledger = ledger
        self.directory = directory
    }

    /// Whether so many checks have failed that the rest of the run would reveal nothing new.
    var isHopeless: Bool { ledger.summary.complaintCount > 200 }

    // MARK: At any time

    func checkAges(limit: Double) {
        guard !hasComplainedOfAge, let oldest = ledger.summary.oldest,
            oldest.age > limit + Self.patience
        else { return }
        hasComplainedOfAge = true
        ledger.complain(
            String(
                format: "%@ is %.1f s old, but may last %.1f s", oldest.kind, oldest.age, limit))
    }

    // MARK: At the end of a round

    func expectOnlyHealthy(within seconds: Double) {
        let isSettled = settles(seconds) { ledger.openFaulty == 0 }
        if !isSettled { ledger.complain("\(ledger.openFaulty) tasks of a round did not end") }
    }

    func expectAllEnded(within seconds: Double) {
        if !settles(seconds, { ledger.summary.open == 0 }) {
            ledger.complain("\(ledger.summary.open) tasks did not end")
        }
    }

    func expectGone(within seconds: Double, _ isGone: () -> Bool) {
        if !settles(seconds, isGone) { ledger.complain("a manager outlives its tasks") }
    }

    /// Compares the resources that are held now with those after the first rounds.
    func checkAtRest(round: Int) {
        expectNoFiles()
        // Connections and threads of the round end some seconds after it.
        let isFlat = settles(15) { bounds.map { HeldResources.current.isWithin($0) } != false }
        let state = HeldResources.current
        states.append(state)
        guard !isFlat, let bounds else { return }
        ledger.complain("after round \(round): \(state), but at most \(bounds) is allowed")
    }

    private func expectNoFiles() {
        var names: [String] = []
        let isEmpty = settles(10) {
            names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
            return names.isEmpty
        }
        guard !isEmpty else { return }
        ledger.complain("files remain: \(names.prefix(5))")
        for name in names {
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }

    /// The limits, which follow from the first three rounds, or nil before they have ended.
    ///
    /// These rounds create everything that is created once, mainly threads and the allocator's
    /// arenas.
    private var bounds: HeldResources? {
        guard states.count >= 3 else { return nil }
        var bounds = states[0]
        for state in states[1..<3] { bounds.include(state) }
        bounds.residentMebibytes = bounds.residentMebibytes * 1.2 + 8
        bounds.allocatedMebibytes = bounds.allocatedMebibytes * 1.2 + 2
        bounds.openFiles += 4
        // Handlers get threads on demand, up to 64.
        bounds.threads += 24
        return bounds
    }

    var summaries: [String] {
        guard let first = states.first, let last = states.last else { return [] }
        var most = first
        for state in states { most.include(state) }
        return [
            "at rest after the first round: \(first)", "at rest after the last round: \(last)",
            "maximum at rest: \(most)",
        ]
    }

    private func settles(_ seconds: Double, _ condition: () -> Bool) -> Bool {
        let end = Ledger.now + seconds
        while Ledger.now < end {
            if condition() { return true }
            usleep(20_000)
        }
        return condition()
    }
}
