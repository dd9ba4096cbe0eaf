import CBluebonnetZlib
import CBluebonnetZstd
import Testing

/// A text in one coding, ready for decoding.
struct DecodingSample: Sendable, CustomTestStringConvertible {
    let name: String
    let contentEncoding: String
    let body: [UInt8]
    var testDescription: String { name }

    static let text = (0..<12).flatMap {
        Array("Bluebonnets \($0) bloom along the road in \($0 * $0) colours.\n".utf8)
    }
    static let gzip = DecodingSample(
        name: "gzip", contentEncoding: "gzip", body: deflated(text, windowBits: 31))
    static let zlib = DecodingSample(
        name: "deflate with zlib framing", contentEncoding: "deflate",
        body: deflated(text, windowBits: 15))
    static let rawDeflate = DecodingSample(
        name: "deflate without framing", contentEncoding: "deflate",
        body: deflated(text, windowBits: -15))
    static let brotli = DecodingSample(
        name: "br", contentEncoding: "br",
        body: bytes(
            hex: """
                1b5702588cc374e32b4f9e85968c112abd1584d8ead8dc285542e4f88456d98c4a50a2e101c841f048\
                796ac93cf6159b5b5d004621717fecdd73effe8f98ba9933541761f889e7210c0013305328b3038279\
                206e1168d80aac2c8330ab2071026b7b035104
                """))
    static let zstd = DecodingSample(
        name: "zstd", contentEncoding: "zstd", body: zstandardFrame(text))

    static let all = [gzip, zlib, rawDeflate, brotli, zstd]
}

/// Returns the bytes of hexadecimal digits.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Returns `content` compressed by zlib: `windowBits` 15 is zlib framing, 31 gzip, -15 none.
func deflated(_ content: [UInt8], windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    defer { deflateEnd(&stream) }
    var content = content
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(content.count))) + 18)
    let written = content.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(target.count)
            let result = deflate(&stream, Z_FINISH)
            precondition(result == Z_STREAM_END)
            return target.count - Int(stream.avail_out)
        }
    }
    return Array(output.prefix(written))
}

/// Returns `content` as one zstd frame with a checksum.
func zstandardFrame(_ content: [UInt8]) -> [UInt8] {
    let context = ZSTD_createCCtx()
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(content.count))
    let written = ZSTD_compress2(context, &output, output.count, content, content.count)
    precondition(ZSTD_isError(written) == 0)
    return Array(output.prefix(written))
}

/// Returns a frame of one five-byte raw block that declares its window but not its content size.
func zstandardFrame(windowDescriptor: UInt8) -> [UInt8] {
    [0x28, 0xb5, 0x2f, 0xfd, 0x00, windowDescriptor, 0x29, 0x00, 0x00] + Array("hello".utf8)
}

/// Returns a frame that zstd decoders skip.
func skippableFrame(_ content: [UInt8]) -> [UInt8] {
    [0x5a, 0x2a, 0x4d, 0x18, UInt8(content.count), 0, 0, 0] + content
}
