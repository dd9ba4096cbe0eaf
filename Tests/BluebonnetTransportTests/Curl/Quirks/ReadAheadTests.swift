import Testing

@testable import BluebonnetTransport

@Suite("libcurl's read-ahead of a response that is held back")
struct ReadAheadTests {
    private func readAhead(
        _ readBytes: Int64, received: Int64 = 0, length: Int? = nil, isSending: Bool = false
    ) -> ReadAhead {
        ReadAhead(
            readBytes: readBytes, receivedBytes: received, awaitedLength: length,
            isSending: isSending)
    }

    @Test("it is what libcurl has read and not delivered, and never negative")
    func kept() {
        #expect(readAhead(100, received: 60).keptBytes == 40)
        #expect(readAhead(60, received: 100).keptBytes == 0)
    }

    @Test("it ends with the declared length, after which nothing is expected")
    func length() {
        #expect(readAhead(99, received: 60, length: 100).isMoreExpected)
        #expect(!readAhead(100, received: 60, length: 100).isMoreExpected)
        #expect(readAhead(.max).isMoreExpected)
    }

    @Test(
        "above 16 MiB the sending of a body stops, and reading stops at once without sending")
    func stopping() {
        #expect(readAhead(1).mustStopSending)
        #expect(!readAhead(100, length: 100).mustStopSending)
        #expect(!readAhead(16 << 20, isSending: true).mustStopSending)
        #expect(readAhead((16 << 20) + 1, isSending: true).mustStopSending)
        #expect(!readAhead(17 << 20, length: 17 << 20, isSending: true).mustStopSending)
    }
}
