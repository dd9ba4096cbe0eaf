import BluebonnetTestSupport
import Testing

import Bluebonnet

@Suite("Responders and validators in any order", .timeLimit(.minutes(10)))
struct ResponderModelTests {
    @Test(
        """
        in each walk a responder is called in order, with the first refusal or the value, and \
        the group waits for those added in time
        """)
    func walks() async {
        let fault = await RandomWalks.firstFault(among: 10_000, making: ResponderModel.init) {
            await $0.walk(seed: $1)
        }
        if let fault { Issue.record("\(fault)") }
    }
}
