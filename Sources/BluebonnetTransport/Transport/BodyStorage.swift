import Foundation
import Glibc

/// The memory that a body, or a piece of one, is written into from start to end.
// Sendable: bytes below the upper bound of a published chunk are never written again, and only the
// transport's thread accesses those above it. The memory of a piece is written again only after
// `PieceMemory` or `PassingBlocks` got it back from the piece's last owner, through its lock.
package final class BodyStorage: @unchecked Sendable {
    /// The smallest storage, in bytes, that always gets its own mapping.
    ///
    /// The allocator never reuses memory of this size either, and fetches each page from the system
    /// again. It is the most that `M_MMAP_THRESHOLD` grows to (`mallopt(3)`).
    package static let smallestMapping = 32 * 1024 * 1024

    package let bytes: UnsafeMutableRawPointer
    package let capacity: Int
    private let origin: Origin

    /// The owner to which the memory returns.
    private enum Origin {
        case allocator, system, blocks
    }

    private init(_ bytes: UnsafeMutableRawPointer, capacity: Int, origin: Origin) {
        self.bytes = bytes
        self.capacity = capacity
        self.origin = origin
    }

    /// Creates a storage, or returns nil if the system has no memory.
    package convenience init?(capacity: Int) {
        guard let memory = Self.memory(capacity) else { return nil }
        self.init(memory, capacity: capacity, origin: Self.origin(of: capacity))
    }

    /// Creates a storage, or traps if the system has no memory, as Swift collections do.
    convenience init(roomFor count: Int) {
        self.init(
            Self.memory(count) ?? .unavailable(count), capacity: count,
            origin: Self.origin(of: count))
    }

    /// Creates a storage with its own mapping, which returns to the system with the storage.
    ///
    /// Use it for memory that one of many threads uses repeatedly. The allocator would cache freed
    /// memory for each of these threads. Traps if the system has no memory.
    convenience init(mappingRoomFor count: Int) {
        self.init(
            Self.mapping(count) ?? .unavailable(count), capacity: count, origin: .system)
    }

    /// Returns a storage in one of the ``PassingBlocks``, or nil if the system has no memory.
    ///
    /// Use it for pieces that their consumer soon releases.
    static func passingBlock() -> BodyStorage? {
        PassingBlocks.take().map {
            BodyStorage($0, capacity: PassingBlocks.size, origin: .blocks)
        }
    }

    /// Creates a storage with a copy of the data.
    convenience init(copying data: Data) {
        self.init(roomFor: data.count)
        data.withUnsafeBytes { source in
            if let start = source.baseAddress {
                bytes.copyMemory(from: start, byteCount: source.count)
            }
        }
    }

    deinit {
        switch origin {
        case .allocator: free(bytes)
        case .system: munmap(bytes, capacity)
        case .blocks: PassingBlocks.give(bytes)
        }
    }

    private static func origin(of count: Int) -> Origin {
        count >= smallestMapping ? .system : .allocator
    }

    private static func memory(_ count: Int) -> UnsafeMutableRawPointer? {
        origin(of: count) == .system ? mapping(count) : malloc(count)
    }

    /// Whether the storage is a block that consecutive pieces fill.
    var isPassingBlock: Bool { origin == .blocks }

    static func mapping(_ count: Int) -> UnsafeMutableRawPointer? {
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    // MARK: Large pages

    /// The size of large pages on x86-64, and on ARM with pages of 4 KiB.
    ///
    /// Where large pages are larger, `madvise(2)` creates none for a part of one.
    private static let largePageSize = 2 * 1024 * 1024

    /// Requests large pages from an offset on, if the storage has its own mapping.
    ///
    /// The system fetches a large page as a whole, in a fraction of the time of as many small
    /// pages. So up to one large page is fetched before most of it is written.
    package func preferLargePages(from offset: Int) {
        guard origin == .system else { return }
        let mask = UInt(Self.largePageSize - 1)
        let start = (UInt(bitPattern: bytes + offset) + mask) & ~mask
        let end = UInt(bitPattern: bytes + capacity) & ~mask
        guard start < end else { return }
        // A failure is ignored, because small pages work too.
        madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
    }
}

extension UnsafeMutableRawPointer {
    /// Ends the process because a number of bytes cannot be allocated, as Swift collections do.
    static func unavailable(_ count: Int) -> Self {
        fatalError("the system has no memory for \(count) bytes")
    }
}
