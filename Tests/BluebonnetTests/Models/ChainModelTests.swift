import BluebonnetTestSupport
import Testing

import Bluebonnet

@Suite("Handlers of the chain, in any order", .timeLimit(.minutes(10)))
struct ChainModelTests {
    @Test(
        """
        in each walk every handler is called once, in order, with the same result, whatever is \
        retried and cancelled
        """)
    func walks() async {
        let fault = await RandomWalks.firstFault(among: 5_000, making: ChainModel.init) {
            await $0.walk(seed: $1)
        }
        if let fault { Issue.record("\(fault)") }
    }
}
