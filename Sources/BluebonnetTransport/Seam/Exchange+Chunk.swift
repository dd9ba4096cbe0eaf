public import Foundation
import Glibc

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

        /// How many bytes it holds.
        public var count: Int { range.count }

        /// The bytes, shared with the piece when that saves memory, else copied.
        public var data: Data {
            if range.count * 2 < storage.capacity || range.count <= 64 {
                return withUnsafeBytes { Data($0) }
            }
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

/// Memory that a body is written into once, from its start to its end.
// Sendable: bytes below the upper bound of a published chunk are never written again, and those
// above it are touched by the transport's thread alone.
package final class BodyStorage: @unchecked Sendable {
    package let bytes: UnsafeMutableRawPointer
    package let capacity: Int

    /// Nil when the system has no such memory to give.
    package init?(capacity: Int) {
        guard let bytes = malloc(max(1, capacity)) else { return nil }
        self.bytes = bytes
        self.capacity = capacity
    }

    fileprivate init(copying data: Data) {
        // Traps only when memory is out, as copying into any Swift collection does.
        bytes = malloc(max(1, data.count)) ?? .allocate(byteCount: max(1, data.count), alignment: 1)
        capacity = data.count
        data.withUnsafeBytes { source in
            if let start = source.baseAddress {
                bytes.copyMemory(from: start, byteCount: source.count)
            }
        }
    }

    deinit {
        free(bytes)
    }
}
