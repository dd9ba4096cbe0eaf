import Bluebonnet
import BluebonnetTesting
import Testing

@Suite("Responses of a stub", .timeLimit(.minutes(1)))
struct StubResponseTests {
    private struct User: Encodable {
        var id = 1
    }

    @Test("JSON is an object or a list from literals, or a value")
    func json() async throws {
        let user = User()
        let list = [Parameters(["id": 1])]
        let responses: [(StubResponse, String)] = [
            (.json(["id": 1]), #"{"id":1}"#),
            (.json(["id": 1, "title": "a"]), #"{"id":1,"title":"a"}"#),
            (.json([["id": 1]]), #"[{"id":1}]"#),
            (.json([["id": 1, "title": "a"]]), #"[{"id":1,"title":"a"}]"#),
            (
                .json([["id": 1], ["id": 2, "tags": ["a"]]], status: 201),
                #"[{"id":1},{"id":2,"tags":["a"]}]"#
            ),
            (.json(list), #"[{"id":1}]"#), (.json([user]), #"[{"id":1}]"#),
            (.json(user), #"{"id":1}"#),
            (.json([:]), "{}"), (.json([]), "[]"), (.json([User]()), "[]"),
            (.json(["a"]), #"["a"]"#),
            (.json([1, 2]), "[1,2]"), (.json([[1], [2]]), "[[1],[2]]"), (.json("a"), #""a""#),
        ]
        let stub = StubTransport()
        let api = HTTPSessionManager(baseURL: URL(string: "http://a.test/"), transport: stub)
        for (index, (response, text)) in responses.enumerated() {
            stub.on("/\(index)", response)
            #expect(try await api.text("\(index)") == text)
        }
    }
}
