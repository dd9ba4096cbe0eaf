import BluebonnetTransport
import FoundationNetworking
import Testing

@Suite("The declared length of a body", .timeLimit(.minutes(5)))
struct ContentLengthTests {
    private func declared(_ values: [String]) throws(Exchange.Failure) -> Int? {
        let fields = values.map { Exchange.Field(name: "content-LENGTH", value: $0) }
        return try ContentLength.declared(by: Exchange.Head(statusCode: 200, fields: fields).block)
    }

    @Test("no length, one length, and equal repeated lengths are accepted")
    func accepted() throws {
        #expect(try declared([]) == nil)
        #expect(try declared(["0"]) == 0)
        #expect(try declared(["3"]) == 3)
        #expect(try declared(["003", "3"]) == 3)
        #expect(try declared(["3, 3"]) == 3)
        #expect(try declared(["3,3\t,  3", "3"]) == 3)
        #expect(try declared(["9223372036854775807"]) == .max)
    }

    @Test(
        "a length that parsers could read differently is a failure",
        arguments: [
            [""], [","], ["3,"], [",3"], ["3", "5"], ["3, 5"], ["+3"], ["-1"], ["0x3"], ["3.0"],
            ["3 3"], ["abc"], ["10000000000000000000000"], ["9223372036854775808"], ["\u{663}"],
            ["3", ""], ["1_000"],
        ]
    )
    func refused(values: [String]) {
        #expect(throws: Exchange.Failure.self) { try declared(values) }
    }
}
