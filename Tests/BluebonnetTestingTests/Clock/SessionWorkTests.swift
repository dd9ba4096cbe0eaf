import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("The work that a session reports to its clock", .timeLimit(.minutes(10)))
struct SessionWorkTests {
    private let clock = ManualClock()
    private let stub = StubTransport()

    private func api(
        _ baseURL: String = "http://a.test/", on transport: (any Transport)? = nil,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        configuration.postsNotifications = true
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: baseURL), configuration: configuration,
            transport: transport ?? stub)
    }

    /// Waits for the end of all work, within the time limit of the suite.
    private func becomesIdle() async -> Bool {
        await clock.idle()
        return clock.description.hasSuffix(" 0 at work")
    }

    // MARK: What counts as work

    @Test(
        "handlers, monitors and observers have been called when an advance returns")
    func delivery() async {
        stub.on("/a", .text("a").after(.seconds(1)))
        let api = api()
        let told = Locked<[String]>([])
        let note: @Sendable (String) -> Void = { name in told.withLock { $0.append(name) } }
        let observer = NotificationCenter.default.addObserver(
            forName: SessionTask.didCompleteNotification, object: nil, queue: nil
        ) { notification in
            guard (notification.object as? SessionTask)?.attributes.tag == "counted" else { return }
            usleep(2000)
            note("observer")
        }
        api.addMonitor(of: .delivered, on: DispatchQueue(label: "monitor")) { _ in
            usleep(2000)
            note("monitor")
        }
        api.completionQueue = DispatchQueue(label: "handler")
        for _ in 0..<10 {
            told.withLock { $0 = [] }
            api.get("a", serializer: StringResponseSerializer(), options: .tag("counted")) { _ in
                usleep(2000)
                note("handler")
            }
            await clock.advance(by: .seconds(1))
            let names = told.withLock { $0 }
            #expect(names.filter { $0 == "handler" }.count == 1)
            #expect(names.contains("monitor") && names.contains("observer"))
        }
        NotificationCenter.default.removeObserver(observer)
        #expect(await becomesIdle())
    }

    @Test("the time stands still while a hook runs, and moves while the hook waits for the clock")
    func hooks() async throws {
        stub.on("/a", .redirect(to: "/b"))
        stub.on("/b", .text("b"))
        let api = api { $0.timeouts.whole = 8 }
        api.taskWillPerformHTTPRedirection = { [clock] _, _, request in
            try? await clock.sleep(for: .seconds(5))
            return request
        }
        #expect(try await clock.run { try await api.text("a") } == "b")
        #expect(clock.now == .seconds(5))
        api.taskWillPerformHTTPRedirection = { [clock] _, _, request in
            try? await clock.sleep(for: .seconds(9))
            return request
        }
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await api.text("a") }
        }
        #expect(error?.timeout == .whole && clock.now == .seconds(13))
        await clock.advance(by: .seconds(100))
        #expect(await becomesIdle())
    }

    @Test("an exchange on real sockets is work, so no deadline expires during it")
    func sockets() async throws {
        let server = try FixtureServer()
        let api = api(server.baseURL, on: CurlTransport()) { $0.timeouts.whole = 1 }
        _ = try await clock.run { try await api.text("delay/200") }
        #expect(clock.now == .zero)
        #expect(await becomesIdle())
    }

    @Test("an exchange on a transport that does not report its work is work")
    func unknownTransport() async throws {
        struct Late: Transport {
            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer {
                AnsweringTransfer(exchange, reportingTo: sink) { transfer in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) {
                        transfer.reply(
                            200, fields: [.init(name: "Content-Type", value: "text/plain")],
                            body: Data("late".utf8))
                    }
                }
            }
        }
        let api = api(on: Late()) { $0.timeouts.whole = 1 }
        #expect(try await clock.run { try await api.text("a") } == "late")
        #expect(clock.now == .zero)
        #expect(await becomesIdle())
    }

    @Test(
        "an exchange that waits for a slow reader is not work, so the reader can use the clock")
    func slowReader() async throws {
        let server = try FixtureServer()
        let api = api(server.baseURL, on: CurlTransport())
        let count = try await clock.run { [clock] in
            var count = 0
            for try await piece in try await api.stream("bytes/8000000") {
                count += piece.count
                if count < 100_000 { try await clock.sleep(for: .seconds(10)) }
            }
            return count
        }
        #expect(count == 8_000_000 && clock.now >= .seconds(10))
        #expect(await becomesIdle())
    }

    @Test("a suspended exchange is not work")
    func suspended() async throws {
        let server = try FixtureServer()
        let api = api(server.baseURL, on: CurlTransport()) { $0.timeouts.whole = 5 }
        let errors = Locked<[BluebonnetError?]>([])
        let task = api.get("delay/600000") { response in
            errors.withLock { $0.append(response.error) }
        }
        task.suspend()
        await clock.advance(by: .seconds(5))
        #expect(errors.withLock { $0.map { $0?.timeout } } == [.whole])
        #expect(await becomesIdle())
    }

    @Test("the time stands still while a download is written to its file")
    func downloads() async throws {
        let bytes = Data(count: 40_000_000)
        stub.on("/file", .data(bytes).inPieces(of: 10_000_000, every: .seconds(1)))
        let api = api { $0.timeouts.whole = 10 }
        let times = Locked<[Duration]>([])
        api.downloadTaskDidWriteData = { [clock] _, _, _, _ in
            let now = clock.now
            times.withLock { $0.append(now) }
        }
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(
            "work-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        _ = try await clock.run { try await api.download("file", to: place) }
        #expect(try Data(contentsOf: place).count == bytes.count)
        #expect(times.withLock { $0 } == (1...4).map { .seconds($0) })
        #expect(clock.now == .seconds(4))
        #expect(await becomesIdle())
    }

    @Test("a handler that is added after the end has been called when the clock is idle")
    func lateHandlers() async {
        stub.on("/a", .text("a"))
        let task = api().get("a", serializer: StringResponseSerializer()) { _ in }
        await clock.idle()
        for _ in 0..<50 {
            let called = Locked(0)
            task.addResponseHandler(serializer: StringResponseSerializer()) { _ in
                called.withLock { $0 += 1 }
            }
            await clock.idle()
            #expect(called.withLock { $0 } == 1)
        }
        #expect(await becomesIdle())
    }

    // MARK: Balance

    @Test("in a storm of 1,500 tasks, all work ends, and each task completes once")
    func storm() async throws {
        let seed = SeededGenerator.givenSeed ?? UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let delay = { (random: inout SeededGenerator) in
            Duration.milliseconds(Int.random(in: 0...3000, using: &random))
        }
        for number in 0..<40 {
            let after = delay(&random)
            let responses: [StubResponse] = [
                .text("a"), .status(500), .redirect(to: "/\((number + 1) % 40)"), .silence,
                .challenge(#"Basic realm="a""#), .failure(.networkConnectionLost),
                .text("abcdef").inPieces(of: 2, every: after), .text("abc").cut(after: 2),
            ]
            stub.on("/\(number)", responses[number % responses.count].after(after))
        }
        let api = api { ($0.timeouts.whole, $0.timeouts.idle) = (6, 4) }
        api.taskWillPerformHTTPRedirection = { [clock] _, _, request in
            try? await clock.sleep(for: .milliseconds(700))
            return request
        }
        api.didReceiveChallenge = { [clock] _, _ in
            try? await clock.sleep(for: .milliseconds(300))
            return .useCredential(URLCredential(user: "u", password: "p", persistence: .none))
        }
        let answers = Locked<[Int: Int]>([:])
        var tasks: [DataTask] = []
        for number in 0..<1500 {
            let task = api.get("\(number % 40)", serializer: StringResponseSerializer()) { _ in
                answers.withLock { $0[number, default: 0] += 1 }
            }
            tasks.append(task)
            for _ in 0..<2 {
                let other = tasks.randomElement(using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: other?.cancel()
                case 1: other?.suspend()
                case 2: other?.resume()
                case 3: await clock.advance(by: delay(&random))
                default: break
                }
            }
        }
        await clock.advance(by: .seconds(100))
        #expect(answers.withLock { $0.count } == 1500, "BLUEBONNET_SEED=\(seed)")
        #expect(answers.withLock { $0.values.allSatisfy { $0 == 1 } }, "BLUEBONNET_SEED=\(seed)")
        #expect(await becomesIdle(), "\(clock), BLUEBONNET_SEED=\(seed)")
    }
}
