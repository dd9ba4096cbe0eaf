/// The first thing that was found wrong with a run, and what had happened in it.
final class ModelVerdict {
    private(set) var fault: String?
    private(set) var events: [String] = []
    private let logs: Bool

    init(logs: Bool) { self.logs = logs }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds, fault == nil { fault = text() }
    }

    func note(_ event: @autoclosure () -> String) {
        if logs { events.append(event()) }
    }
}
