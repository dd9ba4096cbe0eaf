import BluebonnetTestSupport
import Foundation
import Testing

@Suite("The life of a task", .timeLimit(.minutes(10)))
struct TaskLifeModelTests {
    @Test(
        """
        5,000 lives with redirects, challenges, retries, faulty transports, cancels and pauses \
        end once, as their servers' answers say
        """)
    func lives() async {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bluebonnet-lives-\(UUID().uuidString)")
        let fault = await RandomWalks.firstFault(among: 5_000, making: { UUID() }) { id, seed in
            await TaskLifeModel.walk(
                seed: seed, in: folder.appendingPathComponent(id.uuidString))
        }
        try? FileManager.default.removeItem(at: folder)
        if let fault { Issue.record("\(fault)") }
    }
}
