import CBluebonnet
import Foundation
import Testing

@testable import BluebonnetTransport

/// What a loop's thread does with memory that is fetched and freed there, and on others.
@Suite(
    "The memory of libcurl on a loop's thread",
    .timeLimit(.minutes(5)),
    .disabled(if: dlsym(nil, "__asan_init") != nil, "every block is watched there, and none kept"))
struct LibcurlMemoryTests {
    /// What `body` returns on a thread of its own, which keeps what is freed on it.
    private func onLoopThread<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        _ = LibcurlVersion.running
        return await withCheckedContinuation { continuation in
            Thread {
                bb_memory_open()
                let result = body()
                bb_memory_close()
                continuation.resume(returning: result)
            }.start()
        }
    }

    @Test("what is freed serves the next request for as much, receive buffers included")
    func reuse() async {
        let sizes = [
            1, 24, 25, 100, 1033, 8000, 8200, 8201, 32_000,
            EasyHandleTemplate.receiveBufferSize + 1,
        ]
        let areSame = await onLoopThread {
            sizes.map { size in
                let first = bb_memory_take(size)
                bb_memory_give(first)
                let kept = bb_memory_kept()
                let second = bb_memory_take(size)
                defer { bb_memory_give(second) }
                return first == second && kept - bb_memory_kept() >= size
            }
        }
        #expect(areSame == sizes.map { _ in true })
    }

    @Test(
        "blocks of every size hold what was asked for, in any order of taking, growing and freeing")
    func contents() async {
        let faults = await onLoopThread {
            var generator = SystemRandomNumberGenerator()
            var blocks: [(start: UnsafeMutableRawPointer, size: Int, mark: UInt8)] = []
            var faults = 0
            func fill(_ start: UnsafeMutableRawPointer?, _ size: Int) {
                guard let start else { return faults += 1 }
                let mark = UInt8.random(in: 1...255, using: &generator)
                memset(start, Int32(mark), size)
                blocks.append((start, size, mark))
            }
            func isIntact(_ start: UnsafeMutableRawPointer, _ size: Int, _ mark: UInt8) -> Bool {
                UnsafeRawBufferPointer(start: start, count: size).allSatisfy { $0 == mark }
            }
            for _ in 0..<20_000 {
                let most = [200, 200, 8_300, 40_000].randomElement(using: &generator) ?? 1
                let size = Int.random(in: 1...most, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: fill(bb_memory_take(size), size)
                case 1:
                    let zeroed = bb_memory_take_zeroed(1, size)
                    if zeroed.map({ isIntact($0, size, 0) }) != true { faults += 1 }
                    fill(zeroed, size)
                case 2:
                    guard let (start, formerSize, mark) = blocks.popLast() else { continue }
                    let resized = bb_memory_resize(start, size)
                    let kept = min(size, formerSize)
                    if resized.map({ isIntact($0, kept, mark) }) != true { faults += 1 }
                    fill(resized, size)
                default:
                    guard !blocks.isEmpty else { continue }
                    let index = Int.random(in: blocks.indices, using: &generator)
                    let (start, size, mark) = blocks.remove(at: index)
                    if !isIntact(start, size, mark) { faults += 1 }
                    bb_memory_give(start)
                }
            }
            for (start, size, mark) in blocks {
                if !isIntact(start, size, mark) { faults += 1 }
                bb_memory_give(start)
            }
            return faults
        }
        #expect(faults == 0)
    }

    @Test("no more is kept than two megabytes, and 64 receive buffers")
    func limits() async {
        let mebibyte = 1024 * 1024
        let (blocks, buffers) = await onLoopThread {
            func keep(_ count: Int, of size: Int) -> Int {
                let blocks = (0..<count).map { _ in bb_memory_take(size) }
                var most = 0
                for block in blocks {
                    bb_memory_give(block)
                    most = max(most, bb_memory_kept())
                }
                return most
            }
            let blocks = keep(60_000, of: 100)
            let left = bb_memory_kept()
            return (blocks, keep(100, of: EasyHandleTemplate.receiveBufferSize + 1) - left)
        }
        #expect(mebibyte...2 * mebibyte ~= blocks)
        #expect(buffers == 64 * (EasyHandleTemplate.receiveBufferSize + 1))
    }

    @Test(
        "memory that cannot be is refused, and what was to grow stays",
        .disabled(if: dlsym(nil, "__tsan_init") != nil, "its allocator ends the process"))
    func impossibleSizes() async {
        let isRefused = await onLoopThread {
            guard let block = bb_memory_resize(nil, 100) else { return false }
            defer { bb_memory_give(block) }
            memset(block, 7, 100)
            let isRefused =
                bb_memory_take(.max / 2) == nil && bb_memory_resize(block, .max / 2) == nil
                && bb_memory_take_zeroed(.max / 4, 8) == nil
            let isIntact = UnsafeRawBufferPointer(start: block, count: 100).allSatisfy { $0 == 7 }
            return isRefused && isIntact
        }
        #expect(isRefused)
    }

    @Test("a transport's loop keeps what an exchange has freed")
    func loops() async throws {
        let fixture = try TransportFixture()
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        #expect(await fixture.transport.keptByteCount > 0)
    }

    @Test("what other threads free serves the next requests for as much on a loop's thread")
    func returns() async {
        for size in [600, 10_240, 32_000] {
            // Another loop of this process may be the first to want it.
            var isServed = false
            for _ in 0..<1000 where !isServed {
                for block in [bb_memory_take(size), bb_memory_take(size)] { bb_memory_give(block) }
                isServed = await onLoopThread {
                    let first = bb_memory_take(size)
                    let kept = bb_memory_kept()
                    let second = bb_memory_take(size)
                    defer { for block in [first, second] { bb_memory_give(block) } }
                    return kept - bb_memory_kept() >= size
                }
            }
            #expect(isServed, "\(size) bytes")
        }
    }

    @Test("no more than a megabyte of what other threads free waits for a loop")
    func limitOfReturns() async {
        let blocks = (0..<400).map { _ in bb_memory_take(10_240) }
        for block in blocks { bb_memory_give(block) }
        // Another thread that is about to find that there is no room has counted its block already.
        for _ in 0..<1000 where bb_memory_returned() > 1024 * 1024 { await Task.yield() }
        #expect(bb_memory_returned() <= 1024 * 1024)
    }

    @Test("other threads keep nothing, and may free what a loop's thread fetched")
    func otherThreads() async {
        let block = await onLoopThread { Int(bitPattern: bb_memory_take(100)) }
        bb_memory_give(UnsafeMutableRawPointer(bitPattern: block))
        #expect(bb_memory_kept() == 0)
    }
}
