import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Encoded bodies over the wire", .timeLimit(.minutes(5)))
struct CodedBodyTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    private func reply(_ body: [UInt8], _ coding: String) -> FixtureReply {
        .response(status: 200, headers: [("Content-Encoding", coding)], body: body)
    }

    @Test("every coding is removed, and both sizes are counted", arguments: DecodingSample.all)
    func decoded(sample: DecodingSample) async throws {
        let record = await fixture.perform(answer: reply(sample.body, sample.contentEncoding))
        #expect(record.failure == nil)
        #expect(Array(record.body) == DecodingSample.text)
        #expect(record.codings == Exchange.ContentCodings(removed: [sample.contentEncoding]))
        let metrics = try #require(record.ends.first?.metrics)
        #expect(metrics.responseBodyBytes == Int64(sample.body.count))
        #expect(metrics.decodedBodyBytes == Int64(DecodingSample.text.count))
    }

    @Test(
        "an incomplete encoded body fails even with the right length", arguments: DecodingSample.all
    )
    func cut(sample: DecodingSample) async {
        let record = await fixture.perform(
            answer: reply(sample.body.dropLast(3), sample.contentEncoding))
        #expect(record.failure?.code == .cannotDecodeContentData)
    }

    @Test("without codings, and without decoding, no codings are reported")
    func untouched() async {
        let plain = await fixture.transport.perform(fixture.exchange("/json"))
        #expect(plain.failure == nil && plain.codings == nil)
        let coded = fixture.exchange("/gzip/1000").with { $0.decodesContent = false }
        let record = await fixture.transport.perform(coded)
        #expect(record.failure == nil && record.codings == nil)
        #expect(record.head?["Content-Encoding"] == "gzip")
    }

    @Test("a body with an unknown coding is unchanged, and the coding is reported with the head")
    func unknownCoding() async {
        let body = DecodingSample.gzip.body
        let record = await fixture.perform(answer: reply(body, "gzip, unheard"))
        #expect(record.failure == nil && Array(record.body) == body)
        #expect(record.head?["Content-Encoding"] == "gzip, unheard")
        #expect(record.codings == Exchange.ContentCodings(unknown: ["unheard"]))
    }

    @Test("invalid data and too many codings fail after the head")
    func undecodable() async {
        for (body, coding) in [
            (Array("junk".utf8), "gzip"),
            (DecodingSample.gzip.body, "gzip, gzip, gzip, gzip, gzip"),
        ] {
            let record = await fixture.perform(answer: reply(body, coding))
            #expect(record.failure?.code == .cannotDecodeContentData)
            #expect(record.ends.count == 1 && record.head?.statusCode == 200)
        }
    }

    @Test(
        "a decompression bomb is decoded while other exchanges are served",
        arguments: ["gzip", "zstd"])
    func bomb(coding: String) async {
        let zeros = [UInt8](repeating: 0, count: 20_000_000)
        let body = coding == "gzip" ? deflated(zeros, windowBits: 31) : zstandardFrame(zeros)
        let answer = reply(body, coding)
        fixture.server.route("/bomb") { _ in answer }
        let recorder = ExchangeRecorder(keepsBody: false)
        _ = fixture.transport.start(fixture.exchange("/bomb"), reportingTo: recorder)
        for _ in 0..<5 {
            #expect(await fixture.transport.perform(fixture.exchange("/json")).failure == nil)
        }
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(recorder.byteCount == zeros.count)
    }

    @Test("a bomb can be suspended without busy waiting, and then canceled or resumed")
    func suspendedBomb() async {
        let answer = reply(zstandardFrame([UInt8](repeating: 0, count: 60_000_000)), "zstd")
        fixture.server.route("/bomb") { _ in answer }
        for isCancelled in [true, false] {
            let gate = DispatchSemaphore(value: 0)
            let recorder = ExchangeRecorder(keepsBody: false, gate: gate)
            let transfer = fixture.transport.start(fixture.exchange("/bomb"), reportingTo: recorder)
            _ = await recorder.when { $0.byteCount > 0 }
            transfer.suspend()
            gate.signal()
            _ = await fixture.transport.perform(fixture.exchange("/json"))
            let count = recorder.byteCount
            _ = await fixture.transport.perform(fixture.exchange("/delay/50"))
            #expect(recorder.byteCount == count)
            isCancelled ? transfer.cancel() : transfer.resume()
            let record = await recorder.atEnd
            #expect(record.failure?.code == (isCancelled ? .cancelled : nil))
            #expect(isCancelled || recorder.byteCount == 60_000_000)
        }
    }
}
