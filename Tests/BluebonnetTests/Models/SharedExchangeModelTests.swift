import BluebonnetTestSupport
import Testing

import Bluebonnet

@Suite("Calls that share exchanges, in any order", .timeLimit(.minutes(10)))
struct SharedExchangeModelTests {
    @Test(
        """
        in each walk a call completes once, only calls that were asked to are canceled, and no \
        exchange is left
        """)
    func walks() async {
        let fault = await RandomWalks.firstFault(among: 2_000, making: SharedExchangeModel.init) {
            await $0.walk(seed: $1)
        }
        if let fault { Issue.record("\(fault)") }
    }
}
