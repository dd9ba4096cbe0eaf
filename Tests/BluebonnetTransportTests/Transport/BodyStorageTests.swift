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

    /// Returns its address ranges with large pages preferred.
    private func largeRanges(of storage: BodyStorage) throws -> [Range<UInt>] {
        try MemoryMapping.all(in: range(of: storage)).filter(\.prefersLargePages)
            .map { $0.range.clamped(to: range(of: storage)) }
    }

    @Test(
        "a long body has large pages from an offset on, where they are whole",
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

    @Test("an offset at or near the end has no effect")
    func nearTheEnd() throws {
        let storage = try #require(BodyStorage(capacity: 32 * Self.mebibyte))
        for offset in [storage.capacity - 1, storage.capacity] {
            storage.preferLargePages(from: offset)
        }
        #expect(try largeRanges(of: storage).isEmpty)
    }

    @Test("the allocator's memory never gets large pages")
    func small() throws {
        let storage = try #require(BodyStorage(capacity: 32 * Self.mebibyte - 1))
        storage.preferLargePages(from: 0)
        #expect(try largeRanges(of: storage).isEmpty)
    }

    @Test("the memory of a long body is returned to the system")
    func goesBack() throws {
        let before = try addressedBytes()
        for _ in 0..<1000 { _ = try #require(BodyStorage(capacity: 64 * Self.mebibyte)) }
        // Other code in this process allocates memory meanwhile, but not 64,000 MiB.
        #expect(try addressedBytes() - before < 32_000 * Self.mebibyte)
    }

    private func addressedBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").first.flatMap { Int($0) })
        return pages * Int(getpagesize())
    }

    @Test("an impossible size of memory is refused at once")
    func tooMuch() {
        #expect(BodyStorage(capacity: 1 << 60) == nil)
    }
}
