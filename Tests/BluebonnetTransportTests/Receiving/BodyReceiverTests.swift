import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Receiving a body", .timeLimit(.minutes(5)))
struct BodyReceiverTests {
    private func receiver(
        _ fields: [String: String] = [:],
        method: String = "GET",
        status: Int = 200,
        limit: Int = .max,
        decodes: Bool = true,
        keepsBody: Bool = true
    ) throws -> BodyReceiver {
        var exchange = Exchange(method: method, url: "http://x/", pool: Exchange.Pool())
        exchange.limits.bodySize = limit
        exchange.decodesContent = decodes
        exchange.keepsBody = keepsBody
        let fields = fields.map { Exchange.Field(name: $0.key, value: $0.value) }
        return try BodyReceiver(
            head: Exchange.Head(statusCode: status, fields: fields), exchange: exchange)
    }

    private func take(_ bytes: [UInt8], _ receiver: BodyReceiver) throws {
        try bytes.withUnsafeBytes { try receiver.take($0) }
    }

    @Test("the content of a 205 response is counted and dropped, whatever its head declares")
    func droppedContent() throws {
        let fields = ["Content-Length": "\(Int.max)", "Content-Encoding": "gzip"]
        let receiver = try receiver(fields, status: 205, limit: 1)
        for _ in 0..<32 { try take([UInt8](repeating: 7, count: 1024 * 1024), receiver) }
        #expect(throws: Exchange.Failure.self) { try take([7], receiver) }
        try receiver.finish()
        #expect(receiver.takeChunks().isEmpty && receiver.decodedCount == 0)
        #expect(receiver.codings == nil && !receiver.isBodiless)
    }

    @Test("a body of known length is one allocation of that size, and its pieces join")
    func exact() throws {
        let bytes = DeterministicBytes.prefix(1_000_003)
        let receiver = try receiver(["Content-Length": "1000003"])
        var joined: Exchange.Chunk?
        for start in stride(from: 0, to: bytes.count, by: 16_384) {
            try take(Array(bytes[start..<min(bytes.count, start + 16_384)]), receiver)
            for chunk in receiver.takeChunks() {
                guard joined != nil else {
                    joined = chunk
                    continue
                }
                let isJoined = joined?.extend(with: chunk)
                #expect(isJoined == true)
            }
        }
        let whole = try #require(joined)
        #expect(whole.storage.capacity == 1_000_003)
        #expect(Array(whole.data) == bytes)
        #expect(receiver.takeChunks().isEmpty)
    }

    @Test(
        "a long body gets large pages after 4 MiB have arrived, not for a declared length",
        .enabled(if: MemoryMapping.systemHasLargePages)
    )
    func largePages() throws {
        let (length, mebibyte) = (40 * 1024 * 1024, 1024 * 1024)
        let receiver = try receiver(["Content-Length": "\(length)"])
        let bytes = [UInt8](repeating: 7, count: mebibyte)
        try take(bytes, receiver)
        let storage = try #require(receiver.takeChunks().first?.storage)
        let start = UInt(bitPattern: storage.bytes)
        func mappings() throws -> [MemoryMapping] {
            try MemoryMapping.all(in: start..<(start + UInt(length)))
        }
        for _ in 1..<4 {
            #expect(try mappings().allSatisfy { !$0.prefersLargePages })
            try take(bytes, receiver)
        }
        #expect(try mappings().contains { $0.prefersLargePages })
        for _ in 4..<40 { try take(bytes, receiver) }
        let rest = try #require(receiver.takeChunks().first)
        #expect(rest.storage === storage && rest.range == mebibyte..<length)
    }

    /// Returns whether the chunk is the start of the bytes.
    private func holds(_ chunk: Exchange.Chunk, _ bytes: ArraySlice<UInt8>) -> Bool {
        chunk.withUnsafeBytes { piece in
            bytes.withUnsafeBytes { whole in
                guard let start = piece.baseAddress, let expected = whole.baseAddress else {
                    return false
                }
                return piece.count <= whole.count && memcmp(start, expected, piece.count) == 0
            }
        }
    }

    @Test(
        "a long body without a length is kept in larger pieces, unless they are passed on",
        arguments: [true, false]
    )
    func longBodyWithoutLength(isKept: Bool) throws {
        let receiver = try receiver(keepsBody: isKept)
        let (bytes, mebibyte) = (DeterministicBytes.prefix(1_000_003), 1024 * 1024)
        var capacities: Set<Int> = []
        var (count, isRight) = (0, true)
        while count < 80 * mebibyte {
            try take(bytes, receiver)
            for chunk in receiver.takeChunks() {
                capacities.insert(chunk.storage.capacity)
                isRight = isRight && holds(chunk, bytes[(count % bytes.count)...])
                count += chunk.count
            }
            if count < 32 * mebibyte { #expect(capacities.allSatisfy { $0 <= mebibyte }) }
        }
        #expect(isRight)
        // No size between, because that would be in the allocator's heaps.
        let large = capacities.filter { $0 > mebibyte }
        #expect(large == (isKept ? [32 * mebibyte] : []))
    }

    @Test("an absurd length takes no memory until the bytes arrive")
    func absurdLength() throws {
        for length in ["9223372036854775807", "1099511627776", "268435457"] {
            let receiver = try receiver(["Content-Length": length])
            try take([1, 2, 3], receiver)
            let chunk = try #require(receiver.takeChunks().first)
            #expect(chunk.storage.capacity <= 1024 * 1024)
        }
    }

    @Test("a body of unknown length grows in storages of at most one mebibyte")
    func growing() throws {
        let bytes = DeterministicBytes.prefix(5_000_000)
        let receiver = try receiver()
        try take(bytes, receiver)
        let chunks = receiver.takeChunks()
        #expect(chunks.allSatisfy { $0.storage.capacity <= 1024 * 1024 })
        #expect(chunks.flatMap { Array($0.data) } == bytes)
        #expect(receiver.decodedCount == bytes.count)
    }

    @Test("a declared length over the limit fails at once, and nothing over it is delivered")
    func limits() throws {
        #expect(throws: Exchange.Failure.self) {
            _ = try receiver(["Content-Length": "11"], limit: 10)
        }
        _ = try receiver(["Content-Length": "11"], method: "HEAD", limit: 10)
        _ = try receiver(["Content-Length": "11"], status: 304, limit: 10)
        let open = try receiver(limit: 10)
        try take([1, 2, 3, 4], open)
        #expect(throws: Exchange.Failure.self) { try take(Array(0..<7), open) }
        #expect(open.takeChunks().reduce(0) { $0 + $1.count } <= 10)
        let exact = try receiver(limit: 4)
        try take([1, 2, 3, 4], exact)
        #expect(exact.takeChunks().first?.count == 4)
    }

    @Test("a bomb is decoded in steps of at most 256 KiB", arguments: ["gzip", "zstd"])
    func bomb(coding: String) throws {
        let zeros = [UInt8](repeating: 0, count: 8_000_000)
        let body = coding == "gzip" ? deflated(zeros, windowBits: 31) : zstandardFrame(zeros)
        let receiver = try receiver(["Content-Encoding": coding])
        try take(body, receiver)
        var total = 0
        var steps = 1
        while true {
            let size = receiver.takeChunks().reduce(0) { $0 + $1.count }
            #expect(size <= BodyReceiver.decodingStep)
            total += size
            guard receiver.isBusy else { break }
            try receiver.continueDecoding()
            steps += 1
        }
        #expect(total == zeros.count)
        #expect(steps >= 30)
        try receiver.finish()
    }

    @Test("a bomb is stopped at the limit")
    func limitedBomb() throws {
        let body = deflated([UInt8](repeating: 0, count: 4_000_000), windowBits: 31)
        let receiver = try receiver(["Content-Encoding": "gzip"], limit: 1_000_000)
        try take(body, receiver)
        var total = 0
        #expect(throws: Exchange.Failure.self) {
            while receiver.isBusy {
                total += receiver.takeChunks().reduce(0) { $0 + $1.count }
                try receiver.continueDecoding()
            }
        }
        total += receiver.takeChunks().reduce(0) { $0 + $1.count }
        #expect(total <= 1_000_000)
    }

    @Test("an incomplete encoded body is detected at its end, and an empty body is whole")
    func cut() throws {
        let body = DecodingSample.gzip.body
        for count in 1..<body.count {
            let receiver = try receiver(["Content-Encoding": "gzip"])
            try take(Array(body.prefix(count)), receiver)
            #expect(throws: Exchange.Failure.self) { try receiver.finish() }
        }
        try receiver(["Content-Encoding": "gzip"]).finish()
    }

    @Test("codings are kept on request, and if one of them is unknown")
    func codings() throws {
        let raw = try receiver(["Content-Encoding": "gzip"], decodes: false)
        try take(DecodingSample.gzip.body, raw)
        #expect(raw.takeChunks().flatMap { Array($0.data) } == DecodingSample.gzip.body)
        let unknown = try receiver(["Content-Encoding": "gzip, x"])
        try take(DecodingSample.gzip.body, unknown)
        #expect(unknown.takeChunks().flatMap { Array($0.data) } == DecodingSample.gzip.body)
        #expect(try receiver(["Content-Encoding": "x"], method: "HEAD").codings == nil)
    }

    @Test("removed codings are reported by name, in the order of their application")
    func removedCodings() throws {
        func codings(_ value: String?, method: String = "GET", decodes: Bool = true) throws
            -> Exchange.ContentCodings?
        {
            let fields = value.map { ["Content-Encoding": $0] } ?? [:]
            return try receiver(fields, method: method, decodes: decodes).codings
        }
        #expect(try codings("gzip") == Exchange.ContentCodings(removed: ["gzip"]))
        let several = try codings("X-GZip, identity, br,zstd , deflate")
        #expect(several?.removed == ["gzip", "br", "zstd", "deflate"])
        #expect(several?.unknown == [])
        for value in [nil, "", "identity"] { #expect(try codings(value) == nil) }
        #expect(try codings("gzip", decodes: false) == nil)
        #expect(try codings("gzip", method: "HEAD") == nil)
    }

    @Test("unknown codings are reported by their names in the response")
    func unknownCodings() throws {
        func unknown(_ values: String..., limit: Int = 4) throws -> [String]? {
            let fields = values.map { Exchange.Field(name: "Content-Encoding", value: $0) }
            let head = Exchange.Head(statusCode: 200, fields: fields)
            var exchange = Exchange(method: "GET", url: "http://x/", pool: Exchange.Pool())
            exchange.limits.contentCodingCount = limit
            return try BodyReceiver(head: head, exchange: exchange).codings?.unknown
        }
        #expect(try unknown("x") == ["x"])
        #expect(try unknown("gzip, Y", "identity, Z") == ["Y", "Z"])
        #expect(throws: Exchange.Failure.self) { try unknown("x, x, x", limit: 2) }
    }
}
