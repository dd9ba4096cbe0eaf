import Glibc

/// Drives one stage, fed by the caller or by the pipe that removes the coding applied after it.
final class DecodingPipe {
    /// The size of the buffer between two stages.
    static let boundarySize = 32 * 1024
    /// The bytes a stage fed by another may take before it has to have produced anything.
    static let fruitlessAllowance = 1024 * 1024
    /// The bytes a stage fed by another may take for each byte it produces.
    static let fruitlessRatio = 8

    private let stage: any DecodingStage
    private let upstream: DecodingPipe?
    private let boundary: UnsafeMutableRawBufferPointer
    private var pending = 0..<0
    /// Whether the stage has written all it can of what it was given.
    private var isDrained = true
    private var totalTaken = 0
    private var totalWritten = 0

    /// Creates a pipe for `stage`, reading from `upstream` when there is one.
    init(
        stage: any DecodingStage, upstream: DecodingPipe?
    ) throws(ContentDecodingError) {
        self.stage = stage
        self.upstream = upstream
        if upstream == nil {
            boundary = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        } else {
            guard let memory = malloc(Self.boundarySize) else { throw .outOfMemory }
            boundary = UnsafeMutableRawBufferPointer(start: memory, count: Self.boundarySize)
        }
    }

    deinit {
        free(boundary.baseAddress)
    }

    /// Decodes into `output`; writing less than fits means all input is taken and used up.
    func read(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        guard let upstream else { return try drive(&input, into: output) }
        var room = output
        while true {
            var piece = UnsafeRawBufferPointer(rebasing: boundary[pending])
            let written = try drive(&piece, into: room)
            room.advance(by: written)
            pending = (pending.upperBound - piece.count)..<pending.upperBound
            totalWritten += written
            if room.isEmpty { break }
            let refilled = try upstream.read(&input, into: boundary)
            if refilled == 0 { break }
            pending = 0..<refilled
            totalTaken += refilled
            try checkYield()
        }
        return output.count - room.count
    }

    /// Throws when a stage is inside a stream, reporting the coding applied last first.
    func finish() throws(ContentDecodingError) {
        try upstream?.finish()
        guard stage.isComplete else { throw .truncated(coding: stage.coding.rawValue) }
    }

    private func drive(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        var room = output
        // Skipping a drained stage matters: zstd counts idle calls and fails at the sixteenth.
        while !room.isEmpty && !(input.isEmpty && isDrained) {
            let before = (input.count, room.count)
            try stage.step(&input, into: &room)
            isDrained = input.isEmpty && !room.isEmpty
            guard isDrained || before != (input.count, room.count) else {
                throw stage.corrupt("the decoder makes no progress")
            }
        }
        return output.count - room.count
    }

    /// A stage fed by another can be sent gigabytes by a few bytes of body.
    ///
    /// Output limits do not stop it when it produces nothing (empty members, skippable frames,
    /// ignored trailing bytes).
    private func checkYield() throws(ContentDecodingError) {
        let (product, overflow) = totalWritten.multipliedReportingOverflow(by: Self.fruitlessRatio)
        guard overflow || totalTaken - Self.fruitlessAllowance <= product else {
            throw stage.corrupt("\(totalTaken) bytes decode to only \(totalWritten)")
        }
    }
}
