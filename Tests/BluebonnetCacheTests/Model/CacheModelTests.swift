import BluebonnetTestSupport
import Testing

@Suite("A model of the cache", .timeLimit(.minutes(5)))
struct CacheModelTests {
    @Test(
        """
        500 runs of several users who ask, pause and leave while stores fail and dates jump: each \
        call ends once, whole, and with nothing of another user
        """)
    func runs() async {
        let fault = await RandomWalks.firstFault(among: 500, making: { () }) { _, seed in
            await CacheModel(seed: seed).run()
        }
        if let fault { Issue.record("\(fault)") }
    }
}
