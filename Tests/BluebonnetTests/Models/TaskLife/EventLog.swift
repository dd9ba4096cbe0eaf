import Bluebonnet
import BluebonnetTransport

/// The events of one task, whose order is checked.
final class EventLog: TaskEventMonitor {
    private let state = Locked<[String]>([])

    var names: [String] { state.withLock { $0 } }
    /// Whether the last event has come.
    var isComplete: Bool { names.last == "delivered" }

    func tasksDidEmit(_ events: [TaskEvent]) {
        state.withLock { names in
            for event in events { names.append(String("\(event.kind)".prefix(while: \.isLetter))) }
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
        if count("receivedHead") > count("sentRequest") { return "a head too many: \(names)" }
        if count("cancelled") > 1 { return "canceled twice: \(names)" }
        return nil
    }
}
