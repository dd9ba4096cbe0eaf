/// Replies with a content coding.
enum CompressedReplies {
    private static let jsonType = ("Content-Type", "application/json")

    static func gzipJSON() -> FixtureReply {
        let bytes = Array(SampleDocuments.json.utf8)
        var crc = CRC32()
        crc.update(bytes)
        return .response(
            status: 200, headers: [jsonType, ("Content-Encoding", "gzip")],
            body: StoredDeflate.gzipHeader + StoredDeflate.block(bytes, isFinal: true)
                + StoredDeflate.gzipTrailer(crc: crc, count: bytes.count))
    }

    /// HTTP's coding "deflate" is the zlib format (RFC 9110 section 8.4.1.2).
    static func deflateJSON() -> FixtureReply {
        let bytes = Array(SampleDocuments.json.utf8)
        return .response(
            status: 200, headers: [jsonType, ("Content-Encoding", "deflate")],
            body: StoredDeflate.zlibHeader + StoredDeflate.block(bytes, isFinal: true)
                + StoredDeflate.zlibTrailer(of: bytes))
    }

    /// Computes the checksum block by block, so a body of any size needs little memory and no
    /// delay.
    static func gzipBytes(_ count: Int) -> FixtureReply? {
        let fullBlocks = count / DeterministicBytes.blockSize
        let blockCount = fullBlocks + 1
        let (framing, blocksOverflow) = blockCount.multipliedReportingOverflow(
            by: StoredDeflate.blockHeaderSize)
        let wrapper = StoredDeflate.gzipHeader.count + StoredDeflate.gzipTrailerSize
        let (length, lengthOverflow) = (framing + wrapper).addingReportingOverflow(count)
        guard !blocksOverflow, !lengthOverflow else { return nil }

        let checksum = Locked(CRC32())
        return .streamed(
            status: 200,
            headers: [
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", "gzip"),
                ("Content-Length", String(length)),
            ],
            body: .generate { index in
                guard index < blockCount else { return nil }
                // The last block holds the remainder, which can be empty.
                let bytes = DeterministicBytes.block(index, ofTotal: count) ?? []
                let crc = checksum.withLock { crc in
                    crc.update(bytes)
                    return crc
                }
                let isLast = index == fullBlocks
                var steps: [FixtureReply.Step] = [
                    .send(StoredDeflate.block(bytes, isFinal: isLast))
                ]
                if index == 0 { steps.insert(.send(StoredDeflate.gzipHeader), at: 0) }
                if isLast { steps.append(.send(StoredDeflate.gzipTrailer(crc: crc, count: count))) }
                return steps
            })
    }
}
