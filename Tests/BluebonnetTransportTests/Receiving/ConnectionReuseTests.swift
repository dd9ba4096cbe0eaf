import Testing

@testable import BluebonnetTransport

@Suite("Connection fields of a head")
struct ConnectionReuseTests {
    private func usableTime(_ values: [String]) -> Double? {
        let fields = values.map { Exchange.Field(name: "keep-alive", value: $0) }
        return ConnectionReuse(Exchange.Head(statusCode: 200, fields: fields).block).usableTime
    }

    @Test(
        "a connection is used until one second before its end (RFC 2068 section 19.7.1.1)",
        arguments: [
            (["timeout=5"], 4), (["timeout=5, max=100"], 4), (["max=1,timeout=75"], 74),
            ([" Timeout = 5 "], 4), (["foo, timeout=5"], 4), (["timeout=9", "timeout=5"], 4),
            (["timeout=5,timeout=9"], 4), (["timeout=1"], 0), (["timeout=0"], 0), (["max=0"], 0),
            (["timeout=60, max=0"], 0), (["timeout=999999999"], 999_999_998),
        ] as [([String], Double)])
    func times(values: [String], expected: Double) {
        #expect(usableTime(values) == expected)
    }

    @Test(
        "an invalid or missing number of seconds is ignored",
        arguments: [
            "", "timeout", "timeout=", "timeout=x", "timeout=-1", "timeout=5s", "timeout=1.5",
            "timeout=\"5\"", "timeout=9999999999", "timeouts=5", "xtimeout=5", "max=100", "=5",
            ",,=,",
        ])
    func nothing(value: String) {
        #expect(usableTime([value]) == nil)
    }

    @Test(
        "a connection is closed if any option requests it (RFC 9112 section 9.6)",
        arguments: [
            ("close", true), ("Close", true), ("foo,close", true), (" foo , close , bar", true),
            ("keep-alive, close", true), ("closed", false), ("not-close", false), ("", false),
            ("\"close\"", false), ("foo close", false),
        ])
    func closing(value: String, isClosed: Bool) {
        let fields = [Exchange.Field(name: "connection", value: value)]
        let block = Exchange.Head(statusCode: 200, fields: fields).block
        #expect(ConnectionReuse(block).usableTime == (isClosed ? 0 : nil))
    }
}
