import Bluebonnet

@testable import BluebonnetTour

/// A terminal whose output a test reads, with a width it can change.
final class RecordedTerminal: Sendable {
    private let state = Locked((writes: [String](), width: 80))

    var writes: [String] { state.withLock { $0.writes } }

    var width: Int {
        get { state.withLock { $0.width } }
        set { state.withLock { $0.width = newValue } }
    }

    func terminal(isInteractive: Bool = true) -> Terminal {
        Terminal(
            isInteractive: isInteractive, usesUTF8: false, width: { self.width },
            write: { text in self.state.withLock { $0.writes.append(text) } })
    }
}
