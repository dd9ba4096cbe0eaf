import Testing

@testable import BluebonnetTransport

@Suite("Zstandard decoding")
struct ZstdDecodingTests {
    private let frame = DecodingSample.zstd.body
    private let text = DecodingSample.text

    @Test("Frames and skippable frames are decoded in sequence wherever the input is split")
    func frames() throws {
        let skippable = skippableFrame([1, 2, 3])
        let body = skippable + frame + skippable + frame + skippableFrame([])
        for split in 0...body.count {
            let decoded = try decode(
                pieces: [Array(body[..<split]), Array(body[split...])], contentEncoding: "zstd")
            #expect(decoded == text + text, "split at \(split)")
        }
        let decoded = try decode(body, contentEncoding: "zstd", pieceSize: 1, outputSize: 1)
        #expect(decoded == text + text)
    }

    @Test("An incomplete second frame is truncated")
    func truncatedSecondFrame() {
        for second in [frame, skippableFrame([1, 2, 3])] {
            for count in 1..<second.count {
                let body = frame + Array(second.prefix(count))
                #expect(
                    decodingError(body, contentEncoding: "zstd") == .truncated(coding: "zstd"),
                    "cut at \(count)")
            }
        }
    }

    @Test("A window of eight megabytes is accepted")
    func largestWindow() throws {
        let body = zstandardFrame(windowDescriptor: 13 << 3)
        #expect(try decode(body, contentEncoding: "zstd") == Array("hello".utf8))
    }

    @Test("A larger window is refused", arguments: [13 << 3 | 1, 14 << 3, 17 << 3, 31 << 3])
    func largerWindow(windowDescriptor: UInt8) {
        let error = decodingError(
            zstandardFrame(windowDescriptor: windowDescriptor), contentEncoding: "zstd")
        #expect(error == .windowTooLarge(coding: "zstd", limit: 8 * 1024 * 1024))
    }

    @Test("A wrong checksum is corrupt")
    func wrongChecksum() {
        var body = frame
        body[body.count - 1] ^= 1
        #expect(decodingError(body, contentEncoding: "zstd")?.corruptCoding == "zstd")
    }

    @Test("Damage to any byte is an error")
    func damage() {
        for index in frame.indices {
            var body = frame
            body[index] ^= 0x40
            #expect(decodingError(body, contentEncoding: "zstd") != nil, "byte \(index)")
        }
    }

    @Test(
        "Frames of the formats before zstd 0.8 are refused",
        arguments: [0x1e, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27])
    func legacyFrames(firstByte: UInt8) {
        let error = decodingError([firstByte, 0xb5, 0x2f, 0xfd, 0, 0], contentEncoding: "zstd")
        #expect(error == .corrupt(coding: "zstd", detail: "no frame starts here"))
    }

    @Test("Bytes after the last frame that are not a frame are corrupt")
    func trailingBytes() {
        #expect(decodingError(frame + [0], contentEncoding: "zstd")?.corruptCoding == "zstd")
    }
}
