import CBluebonnetZstd

/// A stage that removes zstd: any number of frames, including skippable ones.
final class ZstdStage: DecodingStage {
    let coding = ContentCoding.zstd
    /// Whether the input so far ends with a complete frame.
    private(set) var isComplete = false

    /// The largest window that the content coding allows, 8 MiB (RFC 9659), as a power of two.
    private static let windowLogLimit: Int32 = 23

    private let context: OpaquePointer
    private var isBetweenFrames = true

    /// Creates a stage that expects a first frame.
    init() throws(ContentDecodingError) {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        let result = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLogLimit)
        guard ZSTD_isError(result) == 0 else {
            ZSTD_freeDCtx(context)
            // Without the limit, memory use would be unbounded.
            throw .corrupt(
                coding: ContentCoding.zstd.rawValue, detail: "the window limit was refused")
        }
        self.context = context
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    /// Decodes until a buffer is used up or a frame ends.
    func step(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) {
        if isBetweenFrames {
            guard let first = input.first else { return }
            guard Self.canStartFrame(first) else { throw corrupt("no frame starts here") }
        }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(context, &target, &source)
        input.advance(by: source.pos)
        output.advance(by: target.pos)
        guard ZSTD_isError(result) == 0 else { throw error(for: result) }
        isBetweenFrames = result == 0
        isComplete = isBetweenFrames
    }

    /// Returns whether a frame of the current format can start with a byte.
    ///
    /// Debian's library also reads the formats before zstd 0.8, which have no window limit. Their
    /// magic numbers differ from the current ones in the first byte.
    private static func canStartFrame(_ byte: UInt8) -> Bool {
        byte == 0x28 || byte & 0xf0 == 0x50
    }

    private func error(for result: Int) -> ContentDecodingError {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_frameParameter_windowTooLarge:
            .windowTooLarge(coding: coding.rawValue, limit: 1 << Int(Self.windowLogLimit))
        case ZSTD_error_memory_allocation:
            .outOfMemory
        default:
            corrupt(String(cString: ZSTD_getErrorName(result)))
        }
    }
}
