import CBluebonnetZlib

/// A zlib decompression stream and the memory it owns.
final class InflateStream {
    /// The framing around the deflate data, as zlib's `windowBits` argument encodes it.
    enum Framing: Int32 {
        case zlib = 15
        case gzip = 31
        case raw = -15
    }

    private let coding: ContentCoding
    /// The stream, allocated separately because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a stream that expects `framing` and names `coding` in its errors.
    init(_ framing: Framing, coding: ContentCoding) throws(ContentDecodingError) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let result = inflateInit2_(stream, framing.rawValue, ZLIB_VERSION, size)
        // With constant arguments, a lack of memory is the only possible failure.
        guard result == Z_OK else {
            stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// The number of bytes taken since the stream was created or restarted.
    var bytesTaken: Int { Int(clamping: stream.pointee.total_in) }

    /// Discards the state of the stream and expects a new one in `framing`.
    func restart(_ framing: Framing) throws(ContentDecodingError) {
        guard inflateReset2(stream, framing.rawValue) == Z_OK else { throw .outOfMemory }
    }

    /// Inflates, moves the fronts of both buffers, and returns whether the stream has ended.
    func inflate(
        _ input: inout UnsafeRawBufferPointer, into output: inout UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Bool {
        let inputCount = UInt32(clamping: input.count)
        let outputCount = UInt32(clamping: output.count)
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = inputCount
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = outputCount
        let result = CBluebonnetZlib.inflate(stream, Z_NO_FLUSH)
        input.advance(by: Int(inputCount - stream.pointee.avail_in))
        output.advance(by: Int(outputCount - stream.pointee.avail_out))
        // The buffers belong to the caller and can be freed before the next call.
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        switch result {
        // Z_BUF_ERROR only means that this call had nothing to do.
        case Z_OK, Z_BUF_ERROR: return false
        case Z_STREAM_END: return true
        case Z_MEM_ERROR: throw .outOfMemory
        case Z_NEED_DICT:
            throw .corrupt(coding: coding.rawValue, detail: "it needs a preset dictionary")
        default:
            let message = stream.pointee.msg.map { String(cString: $0) }
            throw .corrupt(coding: coding.rawValue, detail: message ?? "zlib error \(result)")
        }
    }
}
