import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("The deadline of a task", .timeLimit(.minutes(5)))
struct DeadlineTests {
    private let clock = ManualClock()

    private func rig(_ seconds: TimeInterval?) -> SessionRig {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        configuration.timeouts.whole = seconds
        return SessionRig(manager: {
            HTTPSessionManager(baseURL: $0, configuration: configuration, transport: $1)
        })
    }

    /// Returns a rig on a stub without other timeouts.
    private func stubRig(_ seconds: TimeInterval?) -> StubRig {
        StubRig(clock: clock) { ($0.timeouts.whole, $0.timeouts.idle) = (seconds, nil) }
    }

    private func hasStruck(_ response: Response<any Sendable>) -> Bool {
        response.error?.timeout == .whole
            && response.error?.description.contains("the task took longer than") == true
    }

    @Test("it ends a task whose transport answers later, to the millisecond")
    func late() async {
        let rig = rig(0.1)
        rig.task().resume()
        let exchange = await rig.stub.exchange()
        #expect(exchange.exchange.timeouts.whole == nil)
        clock.schedule(after: .seconds(1)) { exchange.reply() }
        await clock.advance(by: .milliseconds(99))
        await rig.settle()
        #expect(rig.responses.count == 0)
        await clock.advance(by: .milliseconds(1))
        #expect(hasStruck(await rig.response))
        #expect(exchange.controls == [.cancel])
        #expect(await rig.response.metrics?.exchanges.count == 1)
        // The later reports of the exchange are ignored.
        await clock.advance(by: .seconds(1))
    }

    @Test("it includes redirects, suspensions and hooks")
    func everything() async throws {
        let rig = stubRig(10)
        let asked = Recorder<Void>()
        rig.manager.taskWillPerformHTTPRedirection = { [clock] _, _, _ in
            asked.add(())
            // It never answers.
            try? await clock.sleep(for: .seconds(3600))
            return nil
        }
        rig.answer(StubResponse.moved(to: "/b").after(.seconds(8)))
        let task = rig.task()
        task.resume()
        await clock.advance(by: .seconds(4))
        task.suspend()
        await clock.advance(by: .seconds(4))
        #expect(asked.count == 0)
        task.resume()
        await asked.wait(for: 1)
        await clock.advance(by: .milliseconds(1999))
        await rig.settle()
        #expect(rig.responses.count == 0)
        await clock.advance(by: .milliseconds(1))
        await rig.settle()
        #expect(hasStruck(try #require(rig.responses.all.first)))
    }

    @Test("it includes all redirects of the task")
    func wholeTask() async throws {
        let rig = stubRig(0.4)
        rig.stub.on("/hop/:number") { request in
            let number = request.parameters["number"].flatMap { Int($0) } ?? 0
            return StubResponse.moved(to: "/hop/\(number + 1)").after(.milliseconds(150))
        }
        rig.task("hop/0").resume()
        await clock.advance(by: .milliseconds(399))
        await rig.settle()
        #expect(rig.responses.count == 0)
        await clock.advance(by: .milliseconds(1))
        await rig.settle()
        #expect(hasStruck(try #require(rig.responses.all.first)))
        #expect(rig.stub.requests.map(\.path) == ["/hop/0", "/hop/1", "/hop/2"])
    }

    @Test("a task whose deadline expires during a hook fails then, and nothing more is sent")
    func wholeTaskInHook() async throws {
        let rig = stubRig(1)
        let (forever, _) = AsyncStream.makeStream(of: Void.self)
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            for await _ in forever {}
            return request
        }
        rig.stub.on("/from", .moved(to: "/b"))
        rig.task("from").resume()
        await clock.advance(by: .milliseconds(999))
        await rig.settle()
        #expect(rig.responses.count == 0)
        await clock.advance(by: .milliseconds(1))
        await rig.settle()
        let response = try #require(rig.responses.all.first)
        #expect(hasStruck(response))
        #expect(response.metrics?.exchanges.count == 1)
        #expect(rig.stub.requests.count == 1)
    }

    @Test("it fails a task at once if it is not positive", arguments: [0, -1])
    func none(seconds: TimeInterval) async {
        let rig = stubRig(seconds)
        rig.task().resume()
        let error = await rig.response.error
        #expect(error?.timeout == .whole)
        #expect(error?.description.contains("the deadline had passed when the task began") == true)
        #expect(rig.stub.requests.isEmpty)
    }

    @Test(
        "it sets no limit if it is nil, infinite or NaN",
        arguments: [nil, .infinity, .nan] as [TimeInterval?])
    func unlimited(seconds: TimeInterval?) async {
        let rig = stubRig(seconds)
        rig.answer(StubResponse.good.after(.seconds(1_000_000)))
        rig.task().resume()
        await clock.idle()
        // The stub's timer.
        #expect(clock.pendingCount == 1)
        await clock.advance(by: .seconds(999_999))
        await rig.settle()
        #expect(rig.responses.count == 0)
        await clock.advance(by: .seconds(1))
        #expect(await rig.response.error == nil)
    }

    @Test("it is removed when the task ends")
    func forgotten() async {
        let rig = stubRig(10)
        rig.answer(StubResponse.good.after(.seconds(1)))
        rig.task().resume()
        await clock.idle()
        // One is the stub's.
        #expect(clock.pendingCount == 2)
        await clock.advance(by: .seconds(1))
        #expect(await rig.response.error == nil)
        #expect(clock.pendingCount == 0)
    }

    @Test(
        "a silent transport delays the end after a deadline or cancel by one second"
    )
    func endless() async throws {
        struct Endless: Transport {
            final class Nothing: Transfer {
                func begin() {}
                func cancel() {}
                func suspend() {}
                func resume() {}
                func didConsume(_ count: Int) {}
            }

            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer {
                // Otherwise this endless work would stop the clock.
                exchange.takeOverWork()
                return Nothing()
            }
        }
        var configuration = SessionConfiguration()
        configuration.clock = clock
        configuration.timeouts.whole = 10
        let manager = HTTPSessionManager(configuration: configuration, transport: Endless())
        let url = try #require(URL(string: "http://stub.test/"))
        let responses = Recorder<Response<any Sendable>>()
        let tasks = (0..<2).map { _ in
            manager.dataTask(with: URLRequest(url: url)) { responses.add($0) }
        }
        for task in tasks { task.resume() }
        tasks[0].cancel()
        await clock.advance(by: .seconds(1))
        let cancelled = await responses.wait(for: 1)[0].error
        #expect(cancelled?.isCancelled == true)
        #expect(cancelled?.context.underlying.map { "\($0)" }?.contains("reported no end") == true)
        await clock.advance(by: .seconds(9))
        #expect(await until { clock.pendingCount == 1 })
        await clock.advance(by: .seconds(1))
        let late = await responses.wait(for: 2)[1]
        #expect(hasStruck(late))
        #expect(late.error?.description.contains("the transport reported no end") == true)
    }
}
