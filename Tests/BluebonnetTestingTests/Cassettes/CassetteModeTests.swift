import Bluebonnet
import Glibc
import Testing

@testable import BluebonnetTesting

@Suite("Modes of a cassette", .timeLimit(.minutes(1)))
struct CassetteModeTests {
    private let stub = StubTransport()
    private let place = TemporaryCassette()

    init() {
        stub.on("/:name") { .text("\($0.parameters["name"] ?? "")\($0.number)") }
    }

    private func cassette(
        _ mode: CassetteMode, _ matching: CassetteMatching = .strict
    ) throws -> Cassette {
        try Cassette(at: place.file, mode: mode, recordingFrom: stub, matching: matching)
    }

    private func texts(_ paths: [String], _ cassette: Cassette) async -> [String] {
        var texts: [String] = []
        for path in paths {
            texts.append(await cassette.outcome("GET", "http://a.test/\(path)").text)
        }
        return texts
    }

    @Test("a replay neither sends nor writes")
    func replay() async throws {
        let recording = try cassette(.recordAnew)
        #expect(await texts(["a", "b"], recording) == ["a1", "b2"])
        try recording.verify()
        let date =
            try FileManager.default.attributesOfItem(atPath: place.file.path)[.modificationDate]
            as? Date
        let cassette = try cassette(.replay)
        #expect(await texts(["a", "b"], cassette) == ["a1", "b2"])
        try cassette.verify()
        #expect(stub.requests.count == 2 && cassette.mode == .replay)
        #expect(
            try FileManager.default.attributesOfItem(atPath: place.file.path)[.modificationDate]
                as? Date == date)
    }

    @Test("a recording replaces only a regular file or the target of a link, and keeps its mode")
    func replaced() async throws {
        try place.write("{}")
        let target = place.folder.appendingPathComponent("target")
        try FileManager.default.moveItem(at: place.file, to: target)
        chmod(target.path, 0o640)
        symlink(target.path, place.file.path)
        let linked = try cassette(.recordAnew)
        #expect(await texts(["a"], linked) == ["a1"])
        try linked.verify()
        let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try String(contentsOf: target, encoding: .utf8).contains("a1"))
        let destination = try FileManager.default.destinationOfSymbolicLink(atPath: place.file.path)
        #expect(destination == target.path)
        let makers: [(String) -> Int32] = [
            { mkfifo($0, 0o600) }, { symlink("/dev/null", $0) }, { symlink("none", $0) },
        ]
        for make in makers {
            unlink(place.file.path)
            #expect(make(place.file.path) == 0)
            let recording = try cassette(.recordAnew)
            _ = await texts(["a"], recording)
            let error = #expect(throws: CassetteError.self) { try recording.verify() }
            #expect(error?.description.contains("only regular files are replaced") == true)
        }
    }

    @Test("missing interactions are recorded in place, and present ones are not sent")
    func recordMissing() async throws {
        let first = try cassette(.recordMissing)
        #expect(await texts(["a", "c"], first) == ["a1", "c2"])
        try first.verify()
        let second = try cassette(.recordMissing)
        #expect(await texts(["a", "b", "b", "c", "d"], second) == ["a1", "b3", "b4", "c2", "d5"])
        try second.verify()
        #expect(stub.requests.count == 5)
        // The order is such that a strict replay finds them.
        let replay = try cassette(.replay)
        #expect(await texts(["a", "b", "b", "c", "d"], replay) == ["a1", "b3", "b4", "c2", "d5"])
        try replay.verify()
        let text = try place.text
        let third = try cassette(.recordMissing)
        #expect(await texts(["a", "b", "b", "c"], third).count == 4)
        let error = try #require(throws: CassetteError.self) { try third.verify() }
        #expect(error.problems.count == 1 && error.problems[0].contains("GET http://a.test/d"))
        #expect(try place.text == text)
    }

    @Test("a new recording replaces the file without reading it")
    func recordAnew() async throws {
        try place.write("nonsense")
        let cassette = try cassette(.recordAnew)
        #expect(await texts(["x"], cassette) == ["x1"])
        #expect(try place.text == "nonsense")
        try cassette.verify()
        #expect(await texts(["y"], cassette) == ["y2"])
        try cassette.verify()
        let replay = try self.cassette(.replay)
        #expect(await texts(["x", "y"], replay) == ["x1", "y2"])
    }

    @Test(
        "the environment sets the mode, and an unknown value is an error",
        arguments: [
            (nil, CassetteMode.replay), ("", .replay), ("replay", .replay),
            ("record-missing", .recordMissing), ("record-anew", .recordAnew),
            ("record", nil), ("REPLAY", nil), ("record-missing ", nil), ("fromEnvironment", nil),
        ] as [(String?, CassetteMode?)])
    func environment(value: String?, mode: CassetteMode?) throws {
        let environment = value.map { ["BLUEBONNET_CASSETTES": $0] } ?? [:]
        let resolved = Result { () throws(CassetteError) in
            try CassetteMode.fromEnvironment.resolved(for: place.file, in: environment)
        }
        switch resolved {
        case .success(let resolved): #expect(resolved == mode)
        case .failure(let error):
            #expect(mode == nil)
            #expect(
                "\(error)".contains(
                    "is \"\(value ?? "")\", but must be replay, record-missing or record-anew"))
        }
        #expect(
            try CassetteMode.recordAnew.resolved(for: place.file, in: environment) == .recordAnew)
    }

    @Test("recordings that are not saved are reported")
    func unsaved() async throws {
        let warnings = Locked<[String]>([])
        for saves in [true, false] {
            let recording = RecordingTransport(stub, Redactor(), keepsPieces: false) { warning in
                warnings.withLock { $0.append(warning) }
            }
            _ = await recording.outcome("GET", "http://a.test/a")
            if saves { try recording.save(to: place.file) }
        }
        #expect(warnings.withLock { $0.count } == 1)
        #expect(
            warnings.withLock { $0.first?.contains("1 recorded exchanges were not saved") } == true)
    }

    @Test("unfinished exchanges are reported and not recorded")
    func unfinished() async throws {
        stub.on("/slow/answer", .silence)
        let cassette = try cassette(.recordAnew)
        _ = await texts(["a"], cassette)
        let exchange = Exchange(
            method: "GET", url: "http://a.test/slow/answer?x=1", pool: Exchange.Pool())
        let transfer = cassette.start(exchange, reportingTo: SilentSink())
        _ = cassette.transfer(for: exchange, reportingTo: SilentSink())
        let error = try #require(throws: CassetteError.self) { try cassette.verify() }
        #expect(error.problems.count == 1)
        #expect(error.problems[0].hasPrefix("GET http://a.test/slow/answer had not ended"))
        #expect(try !place.text.contains("slow"))
        transfer.cancel()
        try cassette.verify()
        #expect(try place.text.contains("\"cancelled\": true"))
    }

    @Test("a canceled exchange is recorded before its end is reported")
    func cancelled() async throws {
        final class Mute: Transport, Transfer {
            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer { self }
            func begin() {}
            func cancel() {}
            func suspend() {}
            func resume() {}
            func didConsume(_ count: Int) {}
        }
        let cassette = try Cassette(at: place.file, mode: .recordAnew, recordingFrom: Mute())
        let exchange = Exchange(method: "GET", url: "http://a.test/", pool: Exchange.Pool())
        cassette.start(exchange, reportingTo: SilentSink()).cancel()
        cassette.start(exchange, reportingTo: SilentSink()).abort()
        try cassette.verify()
        #expect(try place.text.split(separator: "\"cancelled\": true").count == 3)
    }

    /// Fails, or never ends, at its second piece.
    private final class Broken: BodySource {
        let failure: Exchange.Failure?
        let isPieceTaken = Locked(false)
        let (waits, waiting) = AsyncStream<Void>.makeStream()

        init(_ failure: Exchange.Failure?) { self.failure = failure }

        func next(
            upTo count: Int, whenReady wake: @escaping @Sendable () -> Void
        ) throws(Exchange.Failure) -> Exchange.BodyPiece {
            let isFirst = isPieceTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            if isFirst { return .bytes(Data("x".utf8)) }
            if let failure { throw failure }
            waiting.finish()
            return .later
        }
    }

    @Test("an exchange with an unreadable body is recorded if missing, and replayed")
    func brokenBody() async throws {
        for mode in [CassetteMode.recordMissing, .replay, .recordMissing] {
            let cassette = try cassette(mode)
            var stream = Exchange.BodyStream(length: nil, isReplayable: false) {
                Broken(Exchange.Failure(.cannotOpenFile, message: "no file"))
            }
            stream.mayBlock = false
            let outcome = await cassette.outcome(
                "POST", "http://a.test/up", body: .stream(stream))
            #expect(outcome.failure?.code == .cannotOpenFile)
            try cassette.verify()
        }
        #expect(try place.text.contains("\"unread\": true"))
        #expect(try place.text.split(separator: "\"method\"").count == 2)
    }

    @Test("an exchange that is canceled during the read of its body is recorded if missing")
    func cancelledBody() async throws {
        for mode in [CassetteMode.recordMissing, .replay, .recordMissing] {
            let cassette = try cassette(mode)
            let source = Broken(nil)
            var stream = Exchange.BodyStream(length: nil, isReplayable: false) { source }
            stream.mayBlock = false
            var exchange = Exchange(
                method: "POST", url: "http://a.test/up", pool: Exchange.Pool())
            exchange.body = .stream(stream)
            let transfer = cassette.start(exchange, reportingTo: SilentSink())
            for await _ in source.waits {}
            transfer.cancel()
            try cassette.verify()
        }
        #expect(try place.text.contains("\"cancelled\": true"))
        #expect(try place.text.split(separator: "\"method\"").count == 2)
    }

    @Test("a cancel records an exchange whose body is being read before it returns")
    func recordedByCancel() async throws {
        for number in 1...200 {
            try? FileManager.default.removeItem(at: place.file)
            let cassette = try cassette(.recordMissing)
            let source = Broken(nil)
            var stream = Exchange.BodyStream(length: nil, isReplayable: false) { source }
            stream.mayBlock = false
            var exchange = Exchange(
                method: "POST", url: "http://a.test/\(number)", pool: Exchange.Pool())
            exchange.body = .stream(stream)
            let transfer = cassette.start(exchange, reportingTo: SilentSink())
            for await _ in source.waits {}
            transfer.cancel()
            try cassette.verify()
            #expect(FileManager.default.fileExists(atPath: place.file.path))
        }
    }

    @Test("requests from many tasks are each recorded once, and replayed in any order")
    func concurrent() async throws {
        var matching = CassetteMatching.strict
        matching.comparesOrder = false
        for mode in [CassetteMode.recordAnew, .replay, .recordMissing] {
            let cassette = try cassette(mode, matching)
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let outcome = await cassette.outcome("GET", "http://a.test/n\(number)x")
                        #expect(outcome.text.hasPrefix("n\(number)x"))
                    }
                }
            }
            try cassette.verify()
        }
        #expect(stub.requests.count == 200)
    }
}

final class SilentSink: ExchangeSink {
    func receive(_ report: consuming Exchange.Report) {}
}
