package import Foundation

/// Memory for pieces that are read one after the other: what is done with one, the next is read into.
///
/// To fetch memory anew for each takes the system as long as to read it. What is kept goes with the
/// reader.
package final class PieceMemory: Sendable {
    /// As many as a reader is ahead, the one that is sent, and the one that is read.
    private static let spareCount = 4

    /// In bytes.
    private static let smallestMapping = 64 * 1024

    private let spares = Locked<[BodyStorage]>([])

    package init() {}

    /// A piece of as many bytes as `fill` says that it wrote, of at most `count`.
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
            // Weak, or a piece that waits would keep what nobody reads into any more.
            deallocator: .custom { [weak self] _, _ in self?.give(storage) }
        )
    }

    private func take(_ count: Int) -> BodyStorage {
        let spare = spares.withLock { $0.popLast() }
        if let spare, spare.capacity >= count { return spare }
        // The allocator would keep it for the thread that reads, which may be one of hundreds.
        return count < Self.smallestMapping
            ? BodyStorage(roomFor: count) : BodyStorage(mappingRoomFor: count)
    }

    private func give(_ storage: BodyStorage) {
        spares.withLock { spares in
            if spares.count < Self.spareCount { spares.append(storage) }
        }
    }
}
