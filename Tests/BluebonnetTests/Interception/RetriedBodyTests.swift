import BluebonnetChain
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("What is seen of the bodies of attempts that are retried", .timeLimit(.minutes(1)))
struct RetriedBodyTests {
    private struct Refused: Error {}

    private let clock = ManualClock()
    private let rig: StubRig
    /// The data that the hook receives.
    private let hooked = Recorder<String>()
    /// The data that a monitor receives.
    private let monitored = Recorder<String>()
    /// The fractions that the progress handler receives.
    private let fractions = Recorder<Double>()
    /// The fractions of the task's progress when its retrier is asked.
    private let askedFractions = Recorder<Double>()
    private let done = Recorder<Int>()

    init() {
        rig = StubRig(clock: clock)
        rig.manager.dataTaskDidReceiveData = { [hooked] in
            hooked.add(String(decoding: $1, as: UTF8.self))
        }
        rig.manager.addMonitor(of: .receivedData) { [monitored] events in
            for case .receivedData(let data) in events.map(\.kind) {
                monitored.add(String(decoding: data, as: UTF8.self))
            }
        }
        rig.manager.interceptors = [
            Retrier(async: { [askedFractions] request, _, _ in
                askedFractions.add(request.progress.fractionCompleted)
                return request.retryCount < 2 ? .retry : .doNotRetry
            })
        ]
    }

    private func answer(_ statuses: Int...) {
        rig.answer(
            statuses.enumerated().map { .text("body\($0)", type: "application/json", status: $1) })
    }

    /// Awaits the handlers, and then the monitors.
    private func finish() async {
        await clock.run { [done] in await done.wait(for: 1) }
        await rig.manager.shutdown()
    }

    private func expect(_ bodies: [String], asked: Int = 2) {
        #expect(hooked.all == bodies && monitored.all == bodies)
        #expect(fractions.all.filter { $0 == 1 }.count == bodies.count)
        #expect(fractions.all.last == (bodies.isEmpty ? nil : 1))
        #expect(askedFractions.all == Array(repeating: 0, count: asked))
    }

    @Test("only the body of the accepted attempt of a verb is seen")
    func verbs() async {
        answer(503, 503, 200)
        let task = rig.manager.dataTask(
            .get, "a",
            options: .downloadProgress { [fractions] in fractions.add($0.fractionCompleted) })
        task.addResponseHandler(serializer: .string) { [done] _ in done.add(1) }
        task.resume()
        await finish()
        expect(["body2"])
    }

    @Test("only the body of the last attempt of a chain is seen", arguments: [true, false])
    func chains(isValidated: Bool) async {
        answer(503, 503, 200)
        let request = rig.manager.request("a").downloadProgress { [fractions] in
            fractions.add($0.fractionCompleted)
        }
        if isValidated { request.validate() }
        request.responseData { [done] _ in done.add(1) }
        await finish()
        expect(["body2"])
    }

    @Test("the body of the last attempt is seen if it is refused, too", arguments: [true, false])
    func refused(isValidated: Bool) async {
        answer(503, 503, 503)
        let request = rig.manager.request("a").downloadProgress { [fractions] in
            fractions.add($0.fractionCompleted)
        }
        if isValidated { request.validate() }
        let data = Locked<Data?>(nil)
        request.responseData { [done] response in
            data.withLock { $0 = response.data }
            done.add(1)
        }
        await finish()
        expect(["body2"], asked: 3)
        #expect(data.withLock { $0 } == Data("body2".utf8))
    }

    @Test("the body of an upload's response is seen once")
    func uploads() async {
        answer(503, 503, 200)
        rig.manager.upload(Data("abc".utf8), to: "a").downloadProgress { [fractions] in
            fractions.add($0.fractionCompleted)
        }
        .validate().responseData { [done] _ in done.add(1) }
        await finish()
        expect(["body2"])
    }

    @Test("a body that validators refuse is not seen, and does not complete the progress")
    func validators() async {
        answer(200, 200, 200)
        let count = Locked(0)
        rig.manager.request("a").downloadProgress { [fractions] in
            fractions.add($0.fractionCompleted)
        }
        .validate { _, _, _ in
            count.withLock { count in
                count += 1
                return count < 3 ? .failure(Refused()) : .success(())
            }
        }
        .responseData { [done] _ in done.add(1) }
        await finish()
        #expect(fractions.all == [1])
        #expect(askedFractions.all.count == 2 && !askedFractions.all.contains(1))
        #expect(hooked.all == ["body2"] && monitored.all == ["body2"])
    }

    @Test("nor does a file that validators refuse")
    func files() async throws {
        answer(200, 200, 200)
        let count = Locked(0)
        rig.manager.download("a").downloadProgress { [fractions] in
            fractions.add($0.fractionCompleted)
        }
        .validate { _, _, _ in
            count.withLock { count in
                count += 1
                return count < 3 ? .failure(Refused()) : .success(())
            }
        }
        .responseData { [done] _ in done.add(1) }
        await finish()
        #expect(fractions.all == [1])
        #expect(askedFractions.all.count == 2 && !askedFractions.all.contains(1))
    }

    @Test("a canceled task does not show the body that a retrier is asked about")
    func canceled() async {
        answer(503, 200)
        rig.manager.interceptors = [
            Retrier(async: { request, _, _ in
                request.cancel()
                return .retry
            })
        ]
        rig.manager.request("a").validate().responseData { [done] _ in done.add(1) }
        await finish()
        #expect(hooked.all.isEmpty && monitored.all.isEmpty)
    }

    @Test("a monitor receives the body of the last attempt before the attempt ends")
    func order() async {
        let kinds = Recorder<TaskEvent.Interests>()
        rig.manager.addMonitor { events in
            for event in events { kinds.add(event.kind.interest) }
        }
        answer(404)
        rig.manager.interceptors = [Interceptor()]
        rig.manager.request("a").validate().responseData { [done] _ in done.add(1) }
        await finish()
        let order: [TaskEvent.Interests] = [
            .receivedHead, .validated, .receivedData, .endedAttempt, .completed,
        ]
        #expect(kinds.all.filter { order.contains($0) } == order)
    }

    @Test("the pieces of a stream are seen, although a validator of bodies was added")
    func streams() async throws {
        answer(200)
        let stream = rig.manager.streamRequest("a")
        stream.addValidator(.body { _, _, _ in throw Refused() })
        stream.responseStream { [done] in
            if case .complete = $0.event { done.add(1) }
        }
        await finish()
        #expect(hooked.all == ["body0"] && monitored.all == ["body0"])
    }

    @Test("without retriers, the body of an error is seen as it arrives")
    func withoutRetriers() async {
        rig.manager.interceptors = []
        answer(503)
        rig.manager.request("a").downloadProgress { [fractions] in
            fractions.add($0.fractionCompleted)
        }
        .validate().responseData { [done] _ in done.add(1) }
        await finish()
        expect(["body0"], asked: 0)
    }
}
