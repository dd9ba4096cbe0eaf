import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Body streams that cannot be sent", .timeLimit(.minutes(5)))
struct UploadStreamFaultTests {
    let stub = ManualTransport()
    let manager: SessionManager
    let responses = Recorder<Response<any Sendable>>()

    init() {
        manager = SessionManager(transport: stub)
    }

    @Test("an earlier exchange's unreadable body is not an error of a later one")
    func staleFault() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        manager.uploadTask(
            withStreamedRequest: request, body: { throw CocoaError(.fileReadUnknown) }
        ) { responses.add($0) }.resume()
        let first = await stub.exchange()
        guard case .stream(let stream) = first.exchange.body else {
            Issue.record("no stream")
            return
        }
        // The server responds before it has read these bytes.
        #expect(throws: Exchange.Failure.self) { try stream.open().read(upTo: 1) }
        first.redirect(307, to: "/b")
        let failure = Exchange.Failure(.timedOut, message: "no head", timeout: .head)
        await stub.exchange(1).fail(failure)
        let error = await responses.wait(for: 1)[0].error
        #expect(error?.timeout == .head)
    }

    @Test("a negative length fails before anything is sent")
    func negativeLength() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://a.test/")))
        manager.uploadTask(
            withStreamedRequest: request, length: -1, body: { InputStream(data: Data()) }
        ) { responses.add($0) }.resume()
        guard case .requestBody(let text, _) = await responses.wait(for: 1)[0].error else {
            Issue.record("\(responses.all)")
            return
        }
        #expect(text.contains("-1") && stub.exchanges.isEmpty)
    }
}
