import Foundation
import Glibc
import Testing

@testable import BluebonnetTransport

@Suite("The memory of pieces that are read", .timeLimit(.minutes(5)))
struct PieceMemoryTests {
    private func piece(_ byte: UInt8, _ count: Int, _ memory: PieceMemory) -> Data {
        memory.piece(upTo: count) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: byte)
            return count
        }
    }

    private func address(of piece: Data) -> UnsafeRawPointer? {
        piece.withUnsafeBytes { $0.baseAddress }
    }

    @Test("a piece is read into the memory of a released one")
    func reuse() {
        let memory = PieceMemory()
        var first: Data? = piece(1, 4096, memory)
        let place = first.flatMap { address(of: $0) }
        first = nil
        // If the allocator had it back, it would give it to one of these.
        let others = (0..<8).compactMap { _ in BodyStorage(capacity: 4096) }
        let second = piece(2, 4096, memory)
        #expect(place != nil && address(of: second) == place)
        #expect(second == Data(repeating: 2, count: 4096))
        withExtendedLifetime(others) {}
    }

    @Test("large pieces are memory mappings, not the allocator's memory")
    func mapping() {
        let memory = PieceMemory()
        let pieces = (0..<40).map { piece($0, 100_000, memory) }
        // The allocator would put a header before each.
        let pageSize = UInt(getpagesize())
        #expect(pieces.allSatisfy { UInt(bitPattern: address(of: $0)).isMultiple(of: pageSize) })
    }

    @Test("held pieces, and slices of them, stay unchanged while others are released")
    func holding() {
        let memory = PieceMemory()
        var held: [(byte: UInt8, piece: Data)] = []
        for byte in 1...200 as ClosedRange<UInt8> {
            let piece = piece(byte, 4096, memory)
            held.append((byte, byte.isMultiple(of: 2) ? piece : piece.dropFirst(4000)))
            if held.count > 3 { held.remove(at: Int(byte) % 3) }
            #expect(held.allSatisfy { byte, piece in piece.allSatisfy { $0 == byte } })
        }
    }

    @Test("a piece that grew is released once, and its memory is reused once")
    func appending() {
        let memory = PieceMemory()
        for byte in 1...20 as ClosedRange<UInt8> {
            var grown = piece(byte, 4096, memory)
            grown.append(piece(byte, 4096, memory))
            #expect(grown == Data(repeating: byte, count: 8192))
        }
        let pieces = (1...5).map { piece($0, 4096, memory) }
        #expect(Set(pieces.map { address(of: $0) }).count == 5)
    }

    @Test("pieces can be released on other threads than the reader's")
    func threads() async {
        let memory = PieceMemory()
        await withTaskGroup(of: Bool.self) { group in
            for byte in 1...200 as ClosedRange<UInt8> {
                let piece = piece(byte, 4096, memory)
                group.addTask { piece.allSatisfy { $0 == byte } }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("kept memory is released with the reader, even while a piece is waiting")
    func owner() {
        weak var gone: PieceMemory?
        func read() -> Data {
            let memory = PieceMemory()
            gone = memory
            return piece(1, 4096, memory)
        }
        let waiting = read()
        #expect(gone == nil)
        #expect(waiting == Data(repeating: 1, count: 4096))
    }

    @Test("a piece outlives the owner of its memory, and has the length of the read")
    func outliving() {
        func make() -> Data {
            PieceMemory().piece(upTo: 4096) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 7)
                return 100
            }
        }
        #expect(make() == Data(repeating: 7, count: 100))
        #expect(PieceMemory().piece(upTo: 0) { _ in 1 }.isEmpty)
    }

    @Test("a larger piece is not read into memory that is too small for it")
    func growing() {
        let memory = PieceMemory()
        for size in [1, 4096, 100_000, 15, 200_000] {
            #expect(piece(3, size, memory) == Data(repeating: 3, count: size))
        }
    }

    @Test("an error of the read is rethrown, and its memory is used for the next piece")
    func fault() throws {
        let memory = PieceMemory()
        var place: UnsafeMutableRawPointer?
        #expect(throws: SystemError.self) {
            try memory.piece(upTo: 4096) { (buffer) throws(SystemError) in
                place = buffer.baseAddress
                throw SystemError(EIO)
            }
        }
        let others = (0..<8).compactMap { _ in BodyStorage(capacity: 4096) }
        let next = piece(4, 4096, memory)
        #expect(place != nil && address(of: next) == UnsafeRawPointer(place))
        withExtendedLifetime(others) {}
    }
}
