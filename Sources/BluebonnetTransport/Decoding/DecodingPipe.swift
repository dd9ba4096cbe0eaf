import Glibc

/// A pipe that drives one stage.
///
/// Its input comes from the caller or from the pipe that removes the coding applied after this one.
final class DecodingPipe {
    /// The size of the buffer between two stages.
    static let boundarySize = 32 * 1024
    /// The number of bytes that a stage can take from an upstream pipe without producing output.
    static let fruitlessAllowance = 1024 * 1024
    /// The number of bytes beyond the allowance that a stage can take for each byte it produces.
    static let fruitlessRatio = 8

    private let stage: any DecodingStage
    private let upstream: DecodingPipe?
    private let boundary: UnsafeMutableRawBufferPointer
    private var pending = 0..<0
    /// Whether the stage has written all output of the input that it has taken.
    private var isDrained = true
    private var totalTaken = 0
    private var totalWritten = 0

    /// Creates a pipe for `stage` that reads from `upstream`, if there is one.
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

    /// Decodes into `output` and returns the number of bytes written.
    ///
    /// If it returns less than `output.count`, all input was consumed.
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

    /// Throws if a stage is inside a stream.
    ///
    /// If several are, the error names the coding that was applied last.
    func finish() throws(ContentDecodingError) {
        try upstream?.finish()
        guard stage.isComplete else { throw .truncated(coding: stage.coding.rawValue) }
    }

    private func drive(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int {
        var room = output
        // A drained stage must be skipped: zstd counts idle calls and fails at the sixteenth.
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

    /// Throws if the stage has taken too many bytes for its output.
    ///
    /// A few bytes of body can expand to gigabytes of input for this stage. Output limits do not
    /// apply if the stage produces nothing, as for empty members, skippable frames and ignored
    /// trailing bytes.
    private func checkYield() throws(ContentDecodingError) {
        let (product, overflow) = totalWritten.multipliedReportingOverflow(by: Self.fruitlessRatio)
        guard overflow || totalTaken - Self.fruitlessAllowance <= product else {
            throw stage.corrupt("\(totalTaken) bytes decode to only \(totalWritten)")
        }
    }
}
