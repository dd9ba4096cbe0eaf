import CBluebonnetBrotli

/// A stage that removes brotli: one stream, after which any further bytes are ignored.
final class BrotliStage: DecodingStage {
    let coding = ContentCoding.brotli
    /// Whether the stream has ended, after which bytes are ignored.
    private(set) var isComplete = false

    private let state: OpaquePointer

    /// Creates a stage that accepts brotli's standard windows, of at most 16 MiB.
    init() throws(ContentDecodingError) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    /// Decodes until a buffer is used up or the stream ends.
    func step(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        if isComplete {
            input.advanceToEnd()
            return
        }
        var nextInput = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var nextOutput = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var inputLeft = input.count
        var outputLeft = output.count
        let result = BrotliDecoderDecompressStream(
            state, &inputLeft, &nextInput, &outputLeft, &nextOutput, nil)
        input.advance(by: input.count - inputLeft)
        output.advance(by: output.count - outputLeft)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: isComplete = true
        case BROTLI_DECODER_RESULT_ERROR: throw lastError()
        default: break
        }
    }

    private func lastError() -> ContentDecodingError {
        let code = BrotliDecoderGetErrorCode(state)
        let allocationCodes =
            BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
            .rawValue...BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES.rawValue
        if allocationCodes.contains(code.rawValue) { return .outOfMemory }
        let name = BrotliDecoderErrorString(code).map { String(cString: $0) }
        return corrupt(name ?? "brotli error \(code.rawValue)")
    }
}
