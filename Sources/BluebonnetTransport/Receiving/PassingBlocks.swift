import Glibc

/// Blocks of memory for bodies that are passed on piece by piece.
///
/// Many streams at once need hundreds of blocks. The allocator would keep most of them for good: after 150 relays,
/// 300 MiB. Here a few are kept, and the others go back to the system.
enum PassingBlocks {
    /// In bytes.
    static let size = 64 * 1024
    /// As many as are kept, 4 MiB in all.
    private static let spareCount = 64
    private static let spares = Locked<[UnsafeMutableRawPointer]>([])

    /// Returns nil when the system has no memory to give.
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
