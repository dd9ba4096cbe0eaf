import Bluebonnet
import BluebonnetTransport

/// The events of one task, whose order is checked.
final class EventLog: TaskEventMonitor {
    private let state = Locked<[(name: String, attempt: Int)]>([])

    var names: [String] { state.withLock { $0.map(\.name) } }
    /// Whether the last event has come.
    var isComplete: Bool { names.last == "delivered" }

    func tasksDidEmit(_ events: [TaskEvent]) {
        state.withLock { state in
            for event in events {
                state.append((String("\(event.kind)".prefix(while: \.isLetter)), event.attempt))
            }
        }
    }

    /// What is wrong with the order of the events, or nil.
    var fault: String? {
        let names = names
        func count(_ name: String) -> Int { names.count { $0 == name } }
        for name in ["created", "completed", "delivered"] where count(name) != 1 {
            return "\(count(name)) times \(name): \(names)"
        }
        guard names.first == "created" else { return "\(names)" }
        let end = names.firstIndex(of: "completed") ?? 0
        let late = Set(names[end...]).subtracting(["completed", "serialized", "delivered"])
        if !late.isEmpty { return "\(late) after the end: \(names)" }
        if count("cancelled") > 1 { return "canceled twice: \(names)" }
        var unanswered = 0
        for name in names {
            if name == "sentRequest" { unanswered += 1 }
            if name == "receivedHead" { unanswered -= 1 }
            if unanswered < 0 { return "a head too many: \(names)" }
        }
        let flow = names.filter { ["resumed", "suspended"].contains($0) }
        if zip(flow, flow.dropFirst()).contains(where: ==) { return "\(flow)" }
        return faultOfAttempts
    }

    /// Every attempt ends once, before the next one begins.
    private var faultOfAttempts: String? {
        let all = state.withLock { $0 }
        let ended = all.filter { $0.name == "endedAttempt" }.map(\.attempt)
        let last = all.map(\.attempt).max() ?? 0
        return ended == Array(1..<last + 1) ? nil : "of \(last) attempts, \(ended) ended"
    }
}
