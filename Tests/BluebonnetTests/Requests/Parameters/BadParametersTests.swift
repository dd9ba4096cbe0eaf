import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Invalid parameters of a task", .timeLimit(.minutes(5)))
struct BadParametersTests {
    /// Never released, because that takes more stack than a thread has.
    static let deep = nest(100_000)
    static let depthPath = "a" + String(repeating: "[0]", count: 127)

    /// Parameters that no format accepts, with the key path of the fault.
    static let bad: [(Parameters, String)] = [
        (["a": nest(128)], depthPath), (["a": deep], depthPath),
        (["a": ["b": Double.nan]], "a.b"), (["a": [1, Double.infinity]], "a[1]"),
        (["a": ["b": [Unsupported()]]], "a.b[0]"), (["a": [["b": [1.5: 2]]]], "a[0].b"),
        (["a": [1.5: 2]], "a"), (["a": Date(timeIntervalSince1970: .nan)], "a"),
    ]

    @Test(
        "the task fails with the key path in handler, group and notification, without sending",
        arguments: ["GET", "POST"], 0..<everySerializer.count
    )
    func parameters(method: String, serializer: Int) async {
        for (parameters, keyPath) in Self.bad {
            let rig = SessionRig()
            rig.manager.requestSerializer = everySerializer[serializer]
            let task = rig.manager.dataTask(
                method: HTTPMethod(rawValue: method), path: "a", parameters: parameters
            ) { [log = rig.log, responses = rig.responses] response in
                log.add("handler")
                responses.add(response)
            }
            task.resume()
            let error = await rig.response.error
            #expect(error?.description.contains("\"\(keyPath)\"") == true)
            let underlying = error?.context.underlying as? RequestSerializationError
            #expect(underlying?.keyPath == keyPath)
            guard case .invalidRequest? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            await rig.expectOneCompletion()
            #expect(rig.stub.exchanges.isEmpty)
        }
    }

    @Test("encoded parameters fail in the same way", arguments: 0..<everySerializer.count)
    func encoded(serializer: Int) async {
        let rig = SessionRig()
        rig.manager.requestSerializer = everySerializer[serializer]
        let errors = Recorder<BluebonnetError?>()
        rig.manager.get("a", parameters: ["a": ["b": [1.0, .nan]]]) { errors.add($0.error) }
        rig.manager.post("a", parameters: ["a": ["b": [1.0, .nan]]]) { errors.add($0.error) }
        for error in await errors.wait(for: 2) {
            #expect(error?.description.contains("\"a.b[1]\"") == true)
        }
        let thrown = await #expect(throws: BluebonnetError.self) {
            try await rig.manager.post("a", parameters: "scalar", as: [String].self)
        }
        #expect(thrown?.description.contains("the parameters are") == true)
        #expect(rig.stub.exchanges.isEmpty)
    }
}
