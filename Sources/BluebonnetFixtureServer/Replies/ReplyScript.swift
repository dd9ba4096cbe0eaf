/// The remaining steps of a reply.
struct ReplyScript {
    private enum Frame {
        case steps([FixtureReply.Step], next: Int)
        case generator(@Sendable (Int) -> [FixtureReply.Step]?, next: Int)
        case repetition([UInt8])
    }

    /// The smallest block of a repetition in bytes, so that one-byte patterns stay cheap.
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

    /// Inserts steps before the remaining ones.
    mutating func insert(_ steps: [FixtureReply.Step]) {
        frames.append(.steps(steps, next: 0))
    }

    /// Returns the next step that is neither a generator nor a repetition, or nil at the end.
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
                // A generator of only empty batches must not block the loop forever.
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
