import BluebonnetTransport
import Foundation

/// Collects a body's chunks, without a copy where they lie one behind the other.
struct BodyCollector {
    private(set) var chunks: [Exchange.Chunk] = []
    private(set) var count = 0
    private var whole: Data?
    /// Memory for the whole, where it is not in one piece.
    private var room: BodyStorage?
    private var isLost = false

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

    /// A copy of what has come so far, which its holder may change while more comes; nil when the
    /// system has no memory for it.
    func copied() -> Data? {
        var pieces = chunks
        return Exchange.Chunk(joining: &pieces)?.data
    }

    // MARK: The end

    /// Sees to it that the body can be had in one piece; false when the system has no memory for
    /// that, and then the body is let go of.
    mutating func makeRoom() -> Bool {
        guard chunks.count > 1 || chunks.first?.isSparse == true, room == nil else {
            return !isLost
        }
        room = BodyStorage(capacity: count)
        // One piece can be had as it is.
        guard room == nil, chunks.count > 1 else { return true }
        isLost = true
        chunks = []
        return false
    }

    /// The whole body, when nothing is added any more; nil when there was no memory for it.
    ///
    /// Always the same data, of which whoever changes it changes a copy.
    mutating func joined() -> Data? {
        if let whole { return whole }
        guard makeRoom() else { return nil }
        if let room {
            chunks = [Exchange.Chunk(joining: &chunks, in: room)]
            self.room = nil
        }
        whole = chunks.first.map { $0.isSparse ? $0.sharedData : $0.data } ?? Data()
        return whole
    }
}
