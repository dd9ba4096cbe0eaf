import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("The memory of a body", .timeLimit(.minutes(5)))
struct BodyStorageTests {
    private static let mebibyte = 1024 * 1024
    private static let largePage = 2 * mebibyte

    private func range(of storage: BodyStorage) -> Range<UInt> {
        let start = UInt(bitPattern: storage.bytes)
        return start..<(start + UInt(storage.capacity))
    }

    /// The addresses of it for which large pages are preferred.
    private func largeRanges(of storage: BodyStorage) throws -> [Range<UInt>] {
        try MemoryMapping.all(in: range(of: storage)).filter(\.prefersLargePages)
            .map { $0.range.clamped(to: range(of: storage)) }
    }

    @Test(
        "a long body's memory is of large pages from an offset on, as far as they are whole",
        .enabled(if: MemoryMapping.systemHasLargePages)
    )
    func large() throws {
        let storage = try #require(BodyStorage(capacity: 64 * Self.mebibyte + 1000))
        #expect(try largeRanges(of: storage).isEmpty)
        storage.preferLargePages(from: 5 * Self.mebibyte + 1)
        let large = try #require(largeRanges(of: storage).first)
        let (whole, page) = (range(of: storage), UInt(Self.largePage))
        let offset = whole.lowerBound + 5 * UInt(Self.mebibyte) + 1
        #expect(large.lowerBound >= offset && large.lowerBound < offset + page)
        #expect(large.upperBound > whole.upperBound - page)
        #expect(large.lowerBound % page == 0)
        storage.bytes.storeBytes(of: 7, toByteOffset: storage.capacity - 1, as: UInt8.self)
    }

    @Test("an offset near the end, or at it, asks for nothing and harms nothing")
    func nearTheEnd() throws {
        let storage = try #require(BodyStorage(capacity: 32 * Self.mebibyte))
        for offset in [storage.capacity - 1, storage.capacity] {
            storage.preferLargePages(from: offset)
        }
        #expect(try largeRanges(of: storage).isEmpty)
    }

    @Test("memory that is the allocator's is never asked to be of large pages")
    func small() throws {
        let storage = try #require(BodyStorage(capacity: 32 * Self.mebibyte - 1))
        storage.preferLargePages(from: 0)
        #expect(try largeRanges(of: storage).isEmpty)
    }

    @Test("the memory of a long body goes back to the system with it")
    func goesBack() throws {
        let before = try addressedBytes()
        for _ in 0..<1000 { _ = try #require(BodyStorage(capacity: 64 * Self.mebibyte)) }
        // Others in this process fetch memory meanwhile, but not 64,000 MiB of it.
        #expect(try addressedBytes() - before < 32_000 * Self.mebibyte)
    }

    private func addressedBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").first.flatMap { Int($0) })
        return pages * Int(getpagesize())
    }

    @Test("memory that no machine has is refused, not waited for")
    func tooMuch() {
        #expect(BodyStorage(capacity: 1 << 60) == nil)
    }
}
