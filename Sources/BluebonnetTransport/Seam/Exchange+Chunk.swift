public import Foundation

extension Exchange {
    /// A piece of a body: a range of bytes that nobody changes any more.
    ///
    /// Pieces that follow each other in the same storage can be joined without a copy.
    public struct Chunk: Sendable {
        package let storage: BodyStorage
        package private(set) var range: Range<Int>

        package init(storage: BodyStorage, range: Range<Int>) {
            self.storage = storage
            self.range = range
        }

        /// Copies bytes into a piece, as a stub transport does.
        public init(_ data: Data) {
            let storage = BodyStorage(copying: data)
            self.init(storage: storage, range: 0..<storage.capacity)
        }

        /// Makes one of several, which are taken from the array as they are copied; nil, and they stay,
        /// when the system has no memory for it.
        package init?(joining pieces: inout [Chunk]) {
            let count = pieces.reduce(0) { $0 + $1.count }
            guard let storage = BodyStorage(capacity: count) else { return nil }
            self.init(joining: &pieces, in: storage)
        }

        /// The same in memory that has just room for them.
        package init(joining pieces: inout [Chunk], in storage: BodyStorage) {
            storage.preferLargePages(from: 0)
            var end = storage.capacity
            // From the last on: the allocator gives memory back from the end of what it has.
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

        /// How many bytes it holds.
        public var count: Int { range.count }

        /// Whether it keeps memory that is worth giving back.
        package var isSparse: Bool { storage.capacity > 64 * 1024 && count * 2 < storage.capacity }

        /// The bytes, shared with the piece where copying would cost more than it saves, else copied.
        ///
        /// Of a body that is passed on, pieces of 4 KiB and more are shared, and each keeps a block of 64 KiB:
        /// copy what you keep for long.
        ///
        /// Whoever changes such data in place changes the piece, if nobody else holds the data.
        public var data: Data {
            isWorthSharing ? sharedData : withUnsafeBytes { Data($0) }
        }

        private var isWorthSharing: Bool {
            // The pieces before and after it fill the same block, and a stream's consumer takes them in turn.
            storage.isPassingBlock
                ? count >= Self.smallestSharedPart : count * 2 >= storage.capacity && count > 64
        }

        /// Of a block, in bytes.
        private static let smallestSharedPart = PassingBlocks.size / 16

        /// The bytes, shared with the piece.
        package var sharedData: Data {
            let storage = storage
            return Data(
                bytesNoCopy: storage.bytes + range.lowerBound,
                count: range.count,
                // The closure's only work is to hold the storage for as long as the data lives.
                deallocator: .custom { _, _ in withExtendedLifetime(storage) {} }
            )
        }

        /// Calls `body` with the bytes.
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

        /// Takes the next piece in if it directly follows in the same storage.
        package mutating func extend(with next: Chunk) -> Bool {
            guard storage === next.storage, range.upperBound == next.range.lowerBound else {
                return false
            }
            range = range.lowerBound..<next.range.upperBound
            return true
        }
    }
}
