import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

import Bluebonnet

@Suite("A manager in any order of events", .timeLimit(.minutes(10)))
struct ManagerModelTests {
    @Test(
        """
        50,000 events in any order cause one completion, one handler call and one notification \
        per task and one end per adapted attempt, leave the group, empty the map, and release \
        the manager
        """)
    func walks() async {
        for offset in 0..<UInt64(100) {
            let seed = RandomWalks.firstSeed &+ offset
            let model = ManagerModel(seed: seed)
            while model.steps < 500 {
                let event = ManagerModel.Event.allCases.randomElement(using: &model.random)
                await model.take(event ?? .settle)
                if model.disagreement != nil { break }
            }
            guard let fault = await model.finish() else { continue }
            let events = model.log.joined(separator: " ")
            Issue.record("\(fault); to repeat it: BLUEBONNET_SEED=\(seed)\n  \(events)")
            return
        }
    }
}
