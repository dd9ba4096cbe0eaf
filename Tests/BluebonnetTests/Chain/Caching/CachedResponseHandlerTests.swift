import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Handlers of cached responses", .timeLimit(.minutes(1)))
struct CachedResponseHandlerTests {
    private let cache = AskingTransport()
    private let session: Session

    init() {
        cache.stub.on("/**", .good)
        session = Session(transport: cache)
    }

    /// Implements Alamofire's method.
    private struct Completing: CachedResponseHandler {
        let isTwice: Bool

        func dataTask(
            _ task: SessionTask, willCacheResponse response: CachedResponse,
            completion: @escaping @Sendable (CachedResponse?) -> Void
        ) {
            var changed = response
            changed["X-Task"] = "\(task.taskIdentifier)"
            completion(changed)
            if isTwice { completion(nil) }
        }
    }

    /// Implements neither method.
    private struct Silent: CachedResponseHandler {}

    /// Performs a request, and returns what the cache stores of its response.
    private func stored(
        _ prepare: (DataRequest) -> Void = { _ in }
    ) async throws -> CachedResponse? {
        let count = cache.stored.count
        let request = session.request("http://stub.test/a")
        prepare(request)
        _ = try await request.serializingData().value
        return await cache.stored.wait(for: count + 1)[count]
    }

    @Test("a ResponseCacher stores, refuses or changes responses")
    func cacher() async throws {
        #expect(try await stored { $0.cacheResponse(using: .cache) }?.statusCode == 200)
        #expect(try await stored { $0.cacheResponse(using: .doNotCache) } == nil)
        #expect(try await stored { $0.cacheResponse(using: ResponseCacher.doNotCache) } == nil)
        let changed = try await stored {
            $0.cacheResponse(
                using: .modify { task, response in
                    var response = response
                    response["Cache-Control"] = "max-age=\(task.taskIdentifier)"
                    return response
                })
        }
        #expect(changed?["Cache-Control"] == "max-age=4")
    }

    @Test("the request's handler replaces the manager's, and the last one counts")
    func precedence() async throws {
        session.setCachedResponseHandler(ResponseCacher(behavior: .doNotCache))
        #expect(try await stored() == nil)
        let own = try await stored {
            $0.cacheResponse(using: .doNotCache).cacheResponse(using: .cache)
        }
        #expect(own?.statusCode == 200)
        session.setCachedResponseHandler(nil)
        #expect(try await stored()?.statusCode == 200)
        #expect(cache.hasQuestion.all == [true, true, false])
    }

    @Test(
        "the completion form is called, and a second result is ignored", arguments: [false, true])
    func completion(isTwice: Bool) async throws {
        let answer = try await stored { $0.cacheResponse(using: Completing(isTwice: isTwice)) }
        #expect(answer?["X-Task"] == "1")
    }

    @Test("with a handler that implements neither form, nothing is stored, and nothing recurs")
    func silent() async throws {
        #expect(try await stored { $0.cacheResponse(using: Silent()) } == nil)
        let task = session.request("http://stub.test/a", shouldAutomaticallyResume: false)
        let proposed = CachedResponse(url: "http://stub.test/a", statusCode: 200, fields: [])
        let answer = await withCheckedContinuation { continuation in
            Silent().dataTask(task, willCacheResponse: proposed) {
                continuation.resume(returning: $0)
            }
        }
        #expect(answer == nil)
    }

    @Test("a download has a handler, too")
    func download() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.file("file")
        _ = try await session.download("http://stub.test/a", to: { _, _ in (place, []) })
            .cacheResponse(using: .doNotCache).serializingDownloadedFileURL().value
        #expect(await cache.stored.wait(for: 1)[0] == nil)
    }

    @Test("a session is created with a handler")
    func sessionWithHandler() {
        let session = Session(cachedResponseHandler: .doNotCache)
        #expect(session.dataTaskWillCacheResponse != nil)
        #expect(Session(cachedResponseHandler: nil).dataTaskWillCacheResponse == nil)
    }

    @Test("a session's monitors hear of proposals, and those of a request do not")
    func monitors() async throws {
        let (log, monitor, own) = (
            Recorder<String>(), ClosureEventMonitor(), ClosureEventMonitor()
        )
        monitor.dataTaskWillCacheResponse = { _, task, response in
            log.add("\(task.taskIdentifier) \(response.statusCode)")
        }
        own.dataTaskWillCacheResponse = { _, _, _ in log.add("own") }
        session.addMonitor(monitor)
        #expect(try await stored { $0.eventMonitor(own) }?.statusCode == 200)
        #expect(try await stored { $0.cacheResponse(using: .doNotCache) } == nil)
        await session.shutdown()
        #expect(log.all == ["1 200", "2 200"])
    }
}
