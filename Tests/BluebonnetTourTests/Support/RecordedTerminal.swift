import Bluebonnet

@testable import BluebonnetTour

/// A terminal whose output a test reads, with a width it can change.
final class RecordedTerminal: Sendable {
    private let state = Locked((writes: [String](), width: 80))

    var writes: [String] { state.withLock { $0.writes } }

    /// All that was written.
    var text: String { writes.joined() }

    var width: Int {
        get { state.withLock { $0.width } }
        set { state.withLock { $0.width = newValue } }
    }

    func terminal(
        isInteractive: Bool = true, usesUTF8: Bool = false, usesColor: Bool = false
    ) -> Terminal {
        Terminal(
            isTerminal: isInteractive, isInteractive: isInteractive, usesUTF8: usesUTF8,
            usesColor: usesColor, width: { self.width },
            send: { data in
                let text = String(decoding: data, as: UTF8.self)
                self.state.withLock { $0.writes.append(text) }
                return 0
            })
    }
}
