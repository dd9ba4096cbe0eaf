import Foundation

/// The pieces of a body that has arrived in part, found by their place in it.
struct BodyPieces {
    private struct Piece {
        let start: Int
        var bytes: Data
    }

    private var pieces: [Piece] = []
    /// The index of the first piece that is kept.
    private var first = 0
    /// The place of the first byte that is kept.
    private(set) var start = 0
    /// The number of bytes that have arrived.
    private(set) var count = 0

    /// The size up to which pieces are joined, because each one costs memory of its own.
    private static let smallSize = 4_096

    mutating func append(_ bytes: Data) {
        defer { count += bytes.count }
        if let last = pieces.last, first < pieces.count,
            last.bytes.count + bytes.count <= Self.smallSize
        {
            pieces[pieces.count - 1].bytes.append(bytes)
        } else if !bytes.isEmpty {
            pieces.append(Piece(start: count, bytes: bytes))
        }
    }

    /// Returns the bytes from a place on, up to the end of their piece; nil if they have not arrived or
    /// are not kept.
    func bytes(from offset: Int) -> Data? {
        guard offset >= start, offset < count else { return nil }
        var (low, high) = (first, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].start <= offset { low = middle } else { high = middle }
        }
        return pieces[low].bytes.dropFirst(offset - pieces[low].start)
    }

    /// Forgets the pieces that lie wholly before a place.
    mutating func forget(before offset: Int) {
        while first < pieces.count, pieces[first].start + pieces[first].bytes.count <= offset {
            start = pieces[first].start + pieces[first].bytes.count
            pieces[first].bytes = Data()
            first += 1
        }
        // Rarely, because it moves the rest.
        guard first > 64, first * 2 > pieces.count else { return }
        pieces.removeFirst(first)
        first = 0
    }

    /// All bytes in one.
    var joined: Data {
        if pieces.count == 1 { return pieces[0].bytes }
        var whole = Data(capacity: count - start)
        for piece in pieces[first...] { whole.append(piece.bytes) }
        return whole
    }
}
