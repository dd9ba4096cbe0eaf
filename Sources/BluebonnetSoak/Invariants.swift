import Foundation
import Glibc

/// What must hold during a run and after each of its rounds.
final class Invariants {
    /// Seconds that a busy machine may take for what is due at once.
    static let patience = 5.0

    private let ledger: Ledger
    private let directory: URL
    /// What was held after each round.
    private var states: [HeldResources] = []
    private var hasComplainedOfAge = false

    init(_ ledger: Ledger, directory: URL) {
        self.ledger = ledger
        self.directory = directory
    }

    /// Whether there is so much wrong that the rest of the run would tell nothing new.
    var isHopeless: Bool { ledger.summary.complaintCount > 200 }

    // MARK: At any time

    func checkAges(limit: Double) {
        guard !hasComplainedOfAge, let oldest = ledger.summary.oldest,
            oldest.age > limit + Self.patience
        else { return }
        hasComplainedOfAge = true
        ledger.complain(
            String(
                format: "%@ is %.1f s old, and has %.1f s in all", oldest.kind, oldest.age, limit))
    }

    // MARK: At the end of a round

    func expectOnlyHealthy(within seconds: Double) {
        let isSettled = settles(seconds) { ledger.openFaulty == 0 }
        if !isSettled { ledger.complain("\(ledger.openFaulty) tasks of a round never end") }
    }

    func expectAllEnded(within seconds: Double) {
        if !settles(seconds, { ledger.summary.open == 0 }) {
            ledger.complain("\(ledger.summary.open) tasks never end")
        }
    }

    func expectGone(within seconds: Double, _ isGone: () -> Bool) {
        if !settles(seconds, isGone) { ledger.complain("a manager is held after its tasks' end") }
    }

    /// Compares what is held now with what was after the first rounds.
    func checkAtRest(round: Int) {
        expectNoFiles()
        // Connections and threads of the round end some seconds after it.
        let isFlat = settles(15) { bounds.map { HeldResources.current.isWithin($0) } != false }
        let state = HeldResources.current
        states.append(state)
        guard !isFlat, let bounds else { return }
        ledger.complain("after round \(round): \(state); at most \(bounds)")
    }

    private func expectNoFiles() {
        var names: [String] = []
        let isEmpty = settles(10) {
            names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
            return names.isEmpty
        }
        guard !isEmpty else { return }
        ledger.complain("files are left: \(names.prefix(5))")
        for name in names {
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }

    /// The first rounds make what is made once, threads and the allocator's arenas above all; nil
    /// before they are over.
    private var bounds: HeldResources? {
        guard states.count >= 3 else { return nil }
        var bounds = states[0]
        for state in states[1..<3] { bounds.include(state) }
        bounds.residentMebibytes = bounds.residentMebibytes * 1.2 + 8
        bounds.allocatedMebibytes = bounds.allocatedMebibytes * 1.2 + 2
        bounds.openFiles += 4
        // Handlers get threads as they need them, up to 64.
        bounds.threads += 24
        return bounds
    }

    var summaries: [String] {
        guard let first = states.first, let last = states.last else { return [] }
        var most = first
        for state in states { most.include(state) }
        return [
            "at rest after the first round: \(first)", "at rest after the last round: \(last)",
            "at rest at most: \(most)",
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
