import Glibc

/// Blocks of memory for bodies that are passed on piece by piece.
///
/// Many concurrent streams need hundreds of blocks. The allocator would keep most of them forever:
/// 300 MiB after 150 relays. This keeps a few of them and returns the others to the system.
enum PassingBlocks {
    /// The size of a block, in bytes.
    static let size = 64 * 1024
    /// The most unused blocks to keep, 4 MiB in all.
    private static let spareCount = 64
    private static let spares = Locked<[UnsafeMutableRawPointer]>([])

    /// Returns a block, or nil if the system has no memory.
    static func take() -> UnsafeMutableRawPointer? {
        spares.withLock { $0.popLast() } ?? BodyStorage.mapping(size)
    }

    static func give(_ block: UnsafeMutableRawPointer) {
        let isSpare = spares.withLock { spares in
            guard spares.count < spareCount else { return false }
            spares.append(block)
            return true
        }
        if !isSpare { munmap(block, size) }
    }
}
