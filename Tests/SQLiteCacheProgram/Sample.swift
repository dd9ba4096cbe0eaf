import Bluebonnet
package import BluebonnetCache
package import Foundation

/// A response whose body follows from its URL and a number.
package struct Sample: Sendable {
    package var url: String
    package var partition = ""
    package var selecting: [String: String?] = [:]
    /// What tells the responses of one URL apart, written in a field of the head.
    package var version = 0
    package var size: Int
    package var id = UUID()

    package init(_ url: String, size: Int, version: Int = 0) {
        (self.url, self.size, self.version) = (url, size, version)
    }

    /// What a response in a cache is coded as.
    private struct Coded: Codable {
        var id: UUID
        var url: String
        var partition: String
        var statusCode: Int
        var names: [String]
        var values: [String]
        var selecting: [String: String?]
        var requestDate: Date
        var responseDate: Date
    }

    package func response() throws -> StoredResponse {
        let coded = Coded(
            id: id, url: url, partition: partition, statusCode: 200,
            names: ["Cache-Control", "X-Version", "X-Size"],
            values: ["max-age=3600", "\(version)", "\(size)"], selecting: selecting,
            requestDate: Date(timeIntervalSinceReferenceDate: 7e8),
            responseDate: Date(timeIntervalSinceReferenceDate: 7e8 + 0.25))
        return try JSONDecoder().decode(StoredResponse.self, from: JSONEncoder().encode(coded))
    }

    /// The response of a look-up, with the body that it must have.
    package init(_ response: StoredResponse) {
        func number(_ name: String) -> Int {
            Int(response.fields.first { $0.name == name }?.value ?? "") ?? -1
        }
        self.init(response.key.url, size: number("X-Size"), version: number("X-Version"))
        (partition, selecting, id) = (response.key.partition, response.selectingFields, response.id)
    }

    package var body: Data {
        var seed: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(url) \(partition) \(version)".utf8 {
            seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        var words = [UInt64](repeating: 0, count: size / 8 + 1)
        for index in words.indices {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words[index] = seed
        }
        return words.withUnsafeBytes { Data($0.prefix(size)) }
    }
}

extension CacheStore {
    /// Stores a sample, in pieces; returns whether all of them were written.
    @discardableResult
    package func add(_ sample: Sample, pieceSize: Int = 50_000) async throws -> Bool {
        guard let writer = store(try sample.response()) else { return false }
        let body = sample.body
        for start in stride(from: 0, to: body.count, by: pieceSize) {
            let piece = body[start..<min(start + pieceSize, body.count)]
            let isWritten = await withCheckedContinuation { continuation in
                writer.write(piece) { continuation.resume(returning: $0) }
            }
            guard isWritten else { return false }
        }
        writer.commit()
        return true
    }

    package func responses(for sample: Sample) async throws -> [StoredResponse] {
        let key = try sample.response().key
        return await answered { find(key, answer: $0) }
    }
}

extension Sample {
    /// One of some URLs, with a body of any size up to 200,000 bytes.
    package static func random(using generator: inout some RandomNumberGenerator) -> Sample {
        let largest = [1_000, 10_000, 66_000, 200_000].randomElement(using: &generator) ?? 0
        return Sample(
            "http://a.test/\(Int.random(in: 0..<200, using: &generator))",
            size: Int.random(in: 0...largest, using: &generator),
            version: Int.random(in: 0..<1_000_000, using: &generator))
    }
}

/// Waits for the value that a closure is called with.
package func answered<Value: Sendable>(
    by ask: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    // The thread sanitizer does not see that a continuation passes its value on safely.
    let fence = Locked(0)
    let value = await withCheckedContinuation { continuation in
        ask { value in
            fence.withLock { $0 += 1 }
            continuation.resume(returning: value)
        }
    }
    fence.withLock { $0 += 1 }
    return value
}
