import BluebonnetTransport
import Foundation

/// Collects a body's chunks, without a copy where they lie one behind the other.
struct BodyCollector {
    private(set) var chunks: [Exchange.Chunk] = []
    private(set) var count = 0

    mutating func append(_ chunks: [Exchange.Chunk]) {
        guard self.chunks.isEmpty else {
            for chunk in chunks { append(chunk) }
            return
        }
        // Mostly it is all there is.
        self.chunks = chunks
        count = chunks.reduce(0) { $0 + $1.count }
    }

    private mutating func append(_ chunk: Exchange.Chunk) {
        count += chunk.count
        if let last = chunks.indices.last, chunks[last].extend(with: chunk) { return }
        chunks.append(chunk)
    }

    mutating func removeAll() {
        self = BodyCollector()
    }

    /// The whole body.
    var data: Data {
        guard let first = chunks.first else { return Data() }
        guard chunks.count > 1 else { return first.data }
        var data = Data(capacity: count)
        for chunk in chunks {
            chunk.withUnsafeBytes { data.append(contentsOf: $0) }
        }
        return data
    }
}
