package import Foundation

/// The memory for pieces that are read one after another, reused when a piece is released.
///
/// Fetching new memory for a piece takes the system as long as reading the piece. The spare memory
/// is released with this object.
package final class PieceMemory: Sendable {
    /// Enough for the pieces read ahead, the piece being sent and the piece being read.
    private static let spareCount = 4

    /// The smallest piece, in bytes, that gets its own mapping.
    private static let smallestMapping = 64 * 1024

    private let spares = Locked<[BodyStorage]>([])

    package init() {}

    /// Returns a piece of at most `count` bytes.
    ///
    /// `fill` writes the bytes and returns their number.
    package func piece<Failure: Error>(
        upTo count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Data {
        guard count > 0 else { return Data() }
        let storage = take(count)
        let filled: Int
        do throws(Failure) {
            filled = try fill(UnsafeMutableRawBufferPointer(start: storage.bytes, count: count))
        } catch {
            give(storage)
            throw error
        }
        return Data(
            bytesNoCopy: storage.bytes,
            count: min(filled, count),
            // Weak, because a waiting piece would otherwise retain the spare memory.
            deallocator: .custom { [weak self] _, _ in self?.give(storage) }
        )
    }

    private func take(_ count: Int) -> BodyStorage {
        let spare = spares.withLock { $0.popLast() }
        if let spare, spare.capacity >= count { return spare }
        // The allocator would cache a large piece for the reading thread, one of maybe hundreds.
        return count < Self.smallestMapping
            ? BodyStorage(roomFor: count) : BodyStorage(mappingRoomFor: count)
    }

    private func give(_ storage: BodyStorage) {
        spares.withLock { spares in
            if spares.count < Self.spareCount { spares.append(storage) }
        }
    }
}
