import BluebonnetTransport
import Foundation

/// Collects a body's chunks, and joins adjacent ones without a copy.
struct BodyCollector {
    private(set) var chunks: [Exchange.Chunk] = []
    private(set) var count = 0
    private var whole: Data?
    /// Memory for the whole body, if it is not in one piece.
    private var room: BodyStorage?
    private var isLost = false

    mutating func append(_ chunks: [Exchange.Chunk]) {
        guard self.chunks.isEmpty else {
            for chunk in chunks { append(chunk) }
            return
        }
        // Usually these are all the chunks.
        self.chunks = chunks
        count = chunks.reduce(0) { $0 + $1.count }
    }

    private mutating func append(_ chunk: Exchange.Chunk) {
        count += chunk.count
        if let last = chunks.indices.last, chunks[last].extend(with: chunk) { return }
        chunks.append(chunk)
    }

    /// Returns a copy of the body so far, which the caller can change, or nil if there is no memory
    /// for it.
    func copied() -> Data? {
        var pieces = chunks
        return Exchange.Chunk(joining: &pieces)?.data
    }

    // MARK: The end

    /// Makes sure that the body can be returned in one piece.
    ///
    /// If the system has no memory for that, the body is discarded and the result is false.
    mutating func makeRoom() -> Bool {
        guard chunks.count > 1 || chunks.first?.isSparse == true, room == nil else {
            return !isLost
        }
        room = BodyStorage(capacity: count)
        // A single piece can be used as it is.
        guard room == nil, chunks.count > 1 else { return true }
        isLost = true
        chunks = []
        return false
    }

    /// Returns the whole body once no more is added, or nil if there was no memory for it.
    ///
    /// The data is always the same. A caller that changes it changes a copy.
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
