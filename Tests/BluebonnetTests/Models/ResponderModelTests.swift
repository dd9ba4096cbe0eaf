import BluebonnetTestSupport
import Testing

@testable import Bluebonnet

@Suite("Responders and validators, in any order", .timeLimit(.minutes(10)))
struct ResponderModelTests {
    @Test(
        """
        in each walk a responder is called once, in its turn, with the first refusal or the value, and \
        the group waits for those that were there
        """)
    func walks() async {
        let count = UInt64(RandomWalks.count(10_000))
        let next = Locked(RandomWalks.firstSeed)
        let end = RandomWalks.firstSeed &+ count
        let fault = Locked<String?>(nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let model = ResponderModel()
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
