/// The first fault that was found in a run of a model, and the events of the run.
package final class ModelVerdict {
    package private(set) var fault: String?
    package private(set) var events: [String] = []
    private let logs: Bool

    package init(logs: Bool) { self.logs = logs }

    package func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds, fault == nil { fault = text() }
    }

    package func note(_ event: @autoclosure () -> String) {
        if logs { events.append(event()) }
    }
}
