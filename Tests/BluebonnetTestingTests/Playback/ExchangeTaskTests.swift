import Bluebonnet
import Foundation
import Testing

@testable import BluebonnetTesting

@Suite("The Swift task of an exchange", .timeLimit(.minutes(10)))
struct ExchangeTaskTests {
    @Test("a cancel reaches the running closure, even if it follows another or starts later")
    func storm() async {
        let ends = DispatchGroup()
        for round in 0..<5_000 {
            let task = ExchangeTask(
                of: Exchange(method: "GET", url: "http://a.test/", pool: Exchange.Pool()))
            ends.enter()
            task.run {
                task.run {
                    let (nothing, maker) = AsyncStream<Void>.makeStream()
                    for await _ in nothing {}
                    withExtendedLifetime(maker) { #expect(Task.isCancelled) }
                    ends.leave()
                }
            }
            if round.isMultiple(of: 2) { await Task.yield() }
            task.cancel()
        }
        await withCheckedContinuation { continuation in
            ends.notify(queue: .global()) { continuation.resume() }
        }
    }
}
