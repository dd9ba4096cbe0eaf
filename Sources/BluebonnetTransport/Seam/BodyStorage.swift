import Foundation
import Glibc

/// Memory that a body, or a piece of one, is written into from its start to its end.
// Sendable: bytes below the upper bound of a published chunk are never written again, and those
// above it are touched by the transport's thread alone. A piece's memory is written again only after
// `PieceMemory` or `PassingBlocks` got it back from the piece's last holder, through its lock.
package final class BodyStorage: @unchecked Sendable {
    /// In bytes; from there on the allocator never keeps memory for the next to ask for it (the most
    /// that `M_MMAP_THRESHOLD` of `mallopt(3)` grows to), so that each page is fetched anew each time.
    package static let smallestMapping = 32 * 1024 * 1024

    package let bytes: UnsafeMutableRawPointer
    package let capacity: Int
    private let origin: Origin

    /// Where the memory goes back to.
    private enum Origin {
        case allocator, system, blocks
    }

    private init(_ bytes: UnsafeMutableRawPointer, capacity: Int, origin: Origin) {
        self.bytes = bytes
        self.capacity = capacity
        self.origin = origin
    }

    /// Nil when the system has no such memory to give.
    package convenience init?(capacity: Int) {
        guard let memory = Self.memory(capacity) else { return nil }
        self.init(memory, capacity: capacity, origin: Self.origin(of: capacity))
    }

    /// Traps when memory is out, as copying into any Swift collection does.
    convenience init(roomFor count: Int) {
        self.init(
            Self.memory(count) ?? .unavailable(count), capacity: count,
            origin: Self.origin(of: count))
    }

    /// Makes memory of its own, which goes back to the system with the storage.
    ///
    /// For what is used again and again by one of many threads, for each of which the allocator would
    /// keep what it frees. Traps when memory is out.
    convenience init(mappingRoomFor count: Int) {
        self.init(
            Self.mapping(count) ?? .unavailable(count), capacity: count, origin: .system)
    }

    /// Takes one of ``PassingBlocks``, for pieces that their consumer soon lets go of.
    ///
    /// Nil when the system has no memory to give.
    static func passingBlock() -> BodyStorage? {
        PassingBlocks.take().map {
            BodyStorage($0, capacity: PassingBlocks.size, origin: .blocks)
        }
    }

    /// Holds a copy of the data.
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

    /// Whether it is a block that consecutive pieces fill.
    var isPassingBlock: Bool { origin == .blocks }

    static func mapping(_ count: Int) -> UnsafeMutableRawPointer? {
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    // MARK: Large pages

    /// As large as `madvise(2)` makes them on x86-64, and on ARM with pages of 4 KiB; where they
    /// are larger, it makes none of a part.
    private static let largePageSize = 2 * 1024 * 1024

    /// Asks for large pages from the offset on, if the memory is the storage's alone.
    ///
    /// Each is fetched at once, as a whole, which takes a fraction of the time of as many small
    /// ones; so up to one of them is fetched before anything is written to most of it.
    package func preferLargePages(from offset: Int) {
        guard origin == .system else { return }
        let mask = UInt(Self.largePageSize - 1)
        let start = (UInt(bitPattern: bytes + offset) + mask) & ~mask
        let end = UInt(bitPattern: bytes + capacity) & ~mask
        guard start < end else { return }
        // Where the system has none, it does without.
        madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
    }
}

extension UnsafeMutableRawPointer {
    /// Ends the program for want of so many bytes, as any Swift collection does.
    static func unavailable(_ count: Int) -> Self {
        fatalError("the system has no memory for \(count) bytes")
    }
}
