import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Totals of progress in the chain", .timeLimit(.minutes(1)))
struct ProgressTotalTests {
    private let transport = ManualTransport()
    private let manager: HTTPSessionManager
    private let done = Recorder<Bool>()

    init() { manager = HTTPSessionManager(transport: transport) }

    private func counts(_ request: Request) -> [Int64] {
        [request.uploadProgress, request.downloadProgress].flatMap {
            [$0.completedUnitCount, $0.totalUnitCount]
        }
    }

    enum Call: CaseIterable { case request, upload, download, stream }

    /// Creates a request whose handler ends it.
    private func request(
        _ call: Call, _ interceptor: any RequestInterceptor
    ) -> (request: Request, start: @Sendable () -> Void) {
        switch call {
        case .request:
            let request = manager.request("http://h/", interceptor: interceptor)
            return (request, { [done] in request.response { _ in done.add(true) } })
        case .upload:
            let request = manager.upload(
                Data(repeating: 2, count: 30), to: "http://h/", interceptor: interceptor)
            return (request, { [done] in request.response { _ in done.add(true) } })
        case .download:
            let request = manager.download("http://h/", interceptor: interceptor)
            return (request, { [done] in request.response { _ in done.add(true) } })
        case .stream:
            let request = manager.streamRequest("http://h/", interceptor: interceptor)
            return (
                request,
                { [done] in
                    request.responseStream { if $0.completion != nil { done.add(true) } }
                }
            )
        }
    }

    @Test(
        "a total is 0 before a length is known, in each attempt, and -1 without a length",
        arguments: Call.allCases)
    func totals(call: Call) async {
        let adapted = Recorder<[Int64]>()
        let interceptor = LoggingInterceptor(
            adapt: { request, state in
                adapted.add(
                    [state.request.uploadProgress, state.request.downloadProgress].flatMap {
                        [$0.completedUnitCount, $0.totalUnitCount]
                    })
                return request
            },
            retry: { _, _ in .retry })
        let (request, start) = request(call, interceptor)
        #expect(counts(request) == [0, 0, 0, 0])
        #expect(request.downloadProgress.fractionCompleted == 0)
        start()
        let sent: Int64 = call == .upload ? 30 : 0
        let first = await transport.exchange()
        #expect(counts(request) == [0, sent, 0, 0])
        if call == .upload { first.sent(30) }
        first.replyAtOnce(503, ["Content-Length": "4"], "busy")
        let second = await transport.exchange(1)
        #expect(counts(request) == [0, sent, 0, 0])
        second.respond(200, [:], [])
        #expect(await until { request.head?.statusCode == 200 })
        #expect(await until { counts(request) == [0, sent, 0, -1] }, "\(counts(request))")
        second.send(["some"])
        second.end()
        await done.wait(for: 1)
        #expect(adapted.all == [[0, 0, 0, 0], [0, 0, 0, 0]])
        #expect(request.downloadProgress.completedUnitCount == 4)
    }

    @Test("a total of a task outside a chain is -1 before a length is known")
    func verb() async {
        let task = manager.dataTask(with: URLRequest(url: URL(filePath: "/"))) { _ in }
        #expect(task.progress.totalUnitCount == -1 && task.uploadProgress.totalUnitCount == -1)
        task.cancel()
    }
}
