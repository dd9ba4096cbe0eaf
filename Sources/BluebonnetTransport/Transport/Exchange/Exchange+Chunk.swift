public import Foundation

extension Exchange {
    /// A piece of a body: a range of bytes that no longer change.
    ///
    /// Consecutive pieces in the same storage can be joined without a copy.
    public struct Chunk: Sendable {
        package let storage: BodyStorage
        package private(set) var range: Range<Int>

        package init(storage: BodyStorage, range: Range<Int>) {
            self.storage = storage
            self.range = range
        }

        /// Creates a piece with a copy of the data, for example in a stub transport.
        public init(_ data: Data) {
            let storage = BodyStorage(copying: data)
            self.init(storage: storage, range: 0..<storage.capacity)
        }

        /// Creates a piece from several pieces, each of which leaves the array once it is copied.
        ///
        /// Returns nil and leaves the array unchanged if the system has no memory.
        package init?(joining pieces: inout [Chunk]) {
            let count = pieces.reduce(0) { $0 + $1.count }
            guard let storage = BodyStorage(capacity: count) else { return nil }
            self.init(joining: &pieces, in: storage)
        }

        /// Creates a piece from several pieces in a storage that has exactly their size.
        package init(joining pieces: inout [Chunk], in storage: BodyStorage) {
            storage.preferLargePages(from: 0)
            var end = storage.capacity
            // Starts with the last piece, because the allocator trims memory from its end.
            while let piece = pieces.popLast() {
                end -= piece.count
                piece.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(
                        start: storage.bytes + end, count: bytes.count
                    ).copyMemory(from: bytes)
                }
            }
            self.init(storage: storage, range: 0..<storage.capacity)
        }

        /// The number of bytes in the piece.
        public var count: Int { range.count }

        /// Whether the piece uses less than half of a storage larger than 64 KiB.
        package var isSparse: Bool { storage.capacity > 64 * 1024 && count * 2 < storage.capacity }

        /// The bytes, either shared with the piece or copied if copying is cheaper.
        ///
        /// In a body that is passed on piece by piece, pieces of 4 KiB or more are shared, and each
        /// retains a block of 64 KiB. Copy such data if you keep it for long.
        ///
        /// Changing shared data in place changes the piece if there is no other reference to the
        /// data.
        public var data: Data {
            isWorthSharing ? sharedData : withUnsafeBytes { Data($0) }
        }

        private var isWorthSharing: Bool {
            // Neighboring pieces share the block, and the consumer of a stream takes them in turn.
            storage.isPassingBlock
                ? count >= Self.smallestSharedPart : count * 2 >= storage.capacity && count > 64
        }

        /// The smallest part of a block that is shared, in bytes.
        private static let smallestSharedPart = PassingBlocks.size / 16

        /// The bytes, shared with the piece.
        package var sharedData: Data {
            let storage = storage
            return Data(
                bytesNoCopy: storage.bytes + range.lowerBound,
                count: range.count,
                // The closure only retains the storage for the lifetime of the data.
                deallocator: .custom { _, _ in withExtendedLifetime(storage) {} }
            )
        }

        /// Calls a closure with the bytes, and returns its result.
        public func withUnsafeBytes<Result>(
            _ body: (UnsafeRawBufferPointer) throws -> Result
        ) rethrows -> Result {
            defer { withExtendedLifetime(storage) {} }
            return try body(
                UnsafeRawBufferPointer(
                    start: storage.bytes + range.lowerBound,
                    count: range.count
                )
            )
        }

        /// Appends a piece if it follows directly in the same storage, and returns whether it did.
        package mutating func extend(with next: Chunk) -> Bool {
            guard storage === next.storage, range.upperBound == next.range.lowerBound else {
                return false
            }
            range = range.lowerBound..<next.range.upperBound
            return true
        }
    }
}
