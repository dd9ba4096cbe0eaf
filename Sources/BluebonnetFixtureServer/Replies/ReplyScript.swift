/// The steps of a reply that are still to be performed.
struct ReplyScript {
    private enum Frame {
        case steps([FixtureReply.Step], next: Int)
        case generator(@Sendable (Int) -> [FixtureReply.Step]?, next: Int)
        case repetition([UInt8])
    }

    /// One block of a repetition holds at least this much, so that one-byte patterns stay cheap.
    private static let repetitionSize = 16_384

    private var frames: [Frame] = []
    private var returnedStep: FixtureReply.Step?

    init() {}

    init(_ steps: [FixtureReply.Step]) {
        frames = [.steps(steps, next: 0)]
    }

    /// Puts back a step that could not be performed yet.
    mutating func putBack(_ step: FixtureReply.Step) {
        returnedStep = step
    }

    /// Performs these steps before those that are left.
    mutating func insert(_ steps: [FixtureReply.Step]) {
        frames.append(.steps(steps, next: 0))
    }

    /// The next step that is neither a generator nor a repetition; nil at the end of the script.
    mutating func next() -> FixtureReply.Step? {
        if let step = returnedStep {
            returnedStep = nil
            return step
        }
        while let frame = frames.popLast() {
            switch frame {
            case .steps(let steps, let next):
                guard next < steps.count else { continue }
                frames.append(.steps(steps, next: next + 1))
                guard let step = unfold(steps[next]) else { continue }
                return step
            case .generator(let generate, let next):
                guard let steps = generate(next) else { continue }
                frames.append(.generator(generate, next: next + 1))
                frames.append(.steps(steps, next: 0))
                // An empty batch gives control back, or an endless row of them would never do so.
                if steps.isEmpty { return .send([]) }
            case .repetition(let block):
                frames.append(frame)
                return .send(block)
            }
        }
        return nil
    }

    private mutating func unfold(_ step: FixtureReply.Step) -> FixtureReply.Step? {
        switch step {
        case .generate(let generate):
            frames.append(.generator(generate, next: 0))
            return nil
        case .repeatForever(let bytes):
            guard !bytes.isEmpty else { return .hold }
            let copies = max(1, Self.repetitionSize / bytes.count)
            frames.append(.repetition(Array(repeatElement(bytes, count: copies).joined())))
            return nil
        default:
            return step
        }
    }
}
