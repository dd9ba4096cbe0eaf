import Bluebonnet
import BluebonnetTourServer

@testable import BluebonnetTour

/// An output without control sequences, which a test reads.
final class RecordedTerminal: Sendable {
    private let written = Locked("")

    /// All that was written.
    var text: String { written.withLock { $0 } }

    var terminal: Terminal {
        Terminal(isInteractive: false, usesColor: false) { text in
            self.written.withLock { $0 += text }
        }
    }
}
