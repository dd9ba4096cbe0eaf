import Testing

@testable import BluebonnetTransport

@Suite("libcurl's notes about HTTP/2")
struct HTTP2NoteTests {
    private func note(_ line: String) -> HTTP2Note? {
        Array(line.utf8).withUnsafeBytes { HTTP2Note($0) }
    }

    @Test("they name the stream of the request and the last stream of a GOAWAY")
    func notes() {
        #expect(note("[HTTP/2] [13] OPENED stream for https://a/\n") == .opened(stream: 13))
        #expect(note("received GOAWAY, error=0, last_stream=79\n") == .goAway(lastStream: 79))
        #expect(
            note("received GOAWAY, error=11, last_stream=2147483647")
                == .goAway(lastStream: 2_147_483_647))
    }

    @Test(
        "other lines are ignored",
        arguments: [
            "", "[", "[HTTP/2] [1] [:method: GET]", "[HTTP/2] [] OPENED stream",
            "[HTTP/2] [99999999999] OPENED stream", "[HTTP/2] [1", "received GOAWAY",
            "received GOAWAY, error=0", "received GOAWAY, error=0, last_stream=",
            "received GOAWAY, error=x, last_stream=1", "Connection #0 left intact",
        ])
    func others(line: String) {
        #expect(note(line) == nil)
    }

    @Test("a GOAWAY excludes the streams above its last, which a second one can only lower")
    func exclusion() {
        var goAways = GoAways()
        goAways.note(lastStream: 2_147_483_647, ofConnection: 3)
        #expect(!goAways.exclude(1, ofConnection: 3))
        goAways.note(lastStream: 5, ofConnection: 3)
        goAways.note(lastStream: 9, ofConnection: 3)
        #expect(!goAways.exclude(5, ofConnection: 3) && goAways.exclude(7, ofConnection: 3))
        #expect(!goAways.exclude(7, ofConnection: 4))
        for connection in 4..<100 { goAways.note(lastStream: 0, ofConnection: Int64(connection)) }
        #expect(!goAways.exclude(7, ofConnection: 3) && goAways.exclude(7, ofConnection: 99))
    }
}
