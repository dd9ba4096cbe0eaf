import Bluebonnet

/// Writes the pieces of a body to their destination.
struct FetchedBody {
    private let raw: RawBody?
    private var screen: ScreenBody?
    /// Whether the body was read to its end.
    private var wantsAll = true
    /// The name of the destination that failed, and the system's error number.
    private(set) var failure: (name: String, number: Int32)?

    /// Makes a writer of bytes; without a raw destination, the terminal shows the body.
    init(_ raw: RawBody?, _ head: ResponseHead, _ output: Terminal) {
        self.raw = raw
        screen = raw == nil ? ScreenBody(head, output: output) : nil
    }

    /// Writes a piece; returns false if no more pieces are needed.
    mutating func add(_ piece: Data) -> Bool {
        if let raw {
            let number = raw.send(piece)
            if number != 0 { failure = (raw.name, number) }
            wantsAll = number == 0
        } else {
            wantsAll = screen?.add(piece) ?? false
        }
        return wantsAll
    }

    /// Shows the rest; `isWhole` is false if the transfer failed.
    mutating func finish(isWhole: Bool) {
        screen?.finish(isComplete: isWhole && wantsAll)
    }
}
