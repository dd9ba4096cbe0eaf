import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

@Suite("Handlers of the chain, in any order", .timeLimit(.minutes(10)))
struct ChainModelTests {
    @Test(
        """
        in each walk a handler is called once, in its turn, with what all others get, whatever is \
        retried and cancelled
        """)
    func walks() async {
        let count = UInt64(RandomWalks.count(5_000))
        let next = Locked(RandomWalks.firstSeed)
        let end = RandomWalks.firstSeed &+ count
        let fault = Locked<String?>(nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let model = ChainModel()
                    while fault.withLock({ $0 == nil }) {
                        let seed = next.withLock { next in
                            defer { next &+= 1 }
                            return next
                        }
                        guard seed < end else { return }
                        if let text = await model.walk(seed: seed) {
                            fault.withLock {
                                $0 = $0 ?? "\(text); to repeat it: BLUEBONNET_SEED=\(seed)"
                            }
                        }
                    }
                }
            }
        }
        if let fault = fault.withLock({ $0 }) { Issue.record("\(fault)") }
    }
}
