import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetTargets

/// Records the calls that plugins and completions receive, by provider call.
final class PluginBench: Sendable {
    let transport = ManualTransport()
    let manager: HTTPSessionManager
    private let plain: TargetProvider<TestTarget>
    private let sharing: TargetProvider<TestTarget>
    private let stubbed: TargetProvider<TestTarget>
    private let log = Recorder<(call: String, text: String)>()
    private let ended = Recorder<String>()

    init() {
        let manager = HTTPSessionManager(transport: transport)
        let plugins = ["1", "2"].map { [log] in LoggingPlugin(name: $0, log: log) }
        self.manager = manager
        plain = TargetProvider(
            requestClosure: { endpoint, answer in
                // WAIT is never answered.
                if endpoint.method != "WAIT" {
                    answer(Result { () throws(TargetError) in try endpoint.urlRequest() })
                }
            }, session: manager, plugins: plugins)
        sharing = TargetProvider(session: manager, plugins: plugins, trackInflights: true)
        stubbed = TargetProvider(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: {
                        target.method == "FAIL"
                            ? .networkError(POSIXError(.EIO)) : .networkResponse(201, Data())
                    },
                    method: target.method, task: target.task, httpHeaderFields: nil)
            },
            stubClosure: TargetProvider.immediatelyStub, session: manager, plugins: plugins)
    }

    enum Kind { case plain, sharing, stubbed }

    @discardableResult
    func send(
        _ call: String, _ kind: Kind = .plain, _ change: (inout TestTarget) -> Void = { _ in }
    ) -> any Cancellable {
        let provider =
            switch kind {
            case .plain: plain
            case .sharing: sharing
            case .stubbed: stubbed
            }
        let target = TestTarget {
            change(&$0)
            $0.sampleData = Data(call.utf8)
        }
        return provider.request(target) { [log, ended] result in
            log.add((call, "end:" + NotingPlugin.text(result)))
            ended.add(call)
        }
    }

    func retry(_ count: Int) {
        manager.interceptors = [
            Retrier { request, _, _, completion in
                completion(request.retryCount < count ? .retry : .doNotRetry)
            }
        ]
    }

    /// Waits for this many calls to end.
    func ends(_ count: Int) async { await ended.wait(for: count) }

    /// Waits until every call waits for the server or for another call.
    func settle() async {
        await manager.callbacks.flush()
        await withCheckedContinuation { continuation in
            manager.operationQueue.addOperation { continuation.resume() }
        }
    }

    func heard(by call: String) -> String {
        log.all.filter { $0.call == call }.map(\.text).joined(separator: " ")
    }
}

private struct LoggingPlugin: PluginType {
    let name: String
    let log: Recorder<(call: String, text: String)>

    private func add(_ text: String, _ target: any TargetType) {
        log.add((String(decoding: target.sampleData, as: UTF8.self), name + text))
    }

    func prepare(_ request: URLRequest, target: any TargetType) async throws -> URLRequest {
        add("prepare", target)
        if name == "1", target.headers?["X-Fail"] == "\(request.timeoutInterval)" {
            throw POSIXError(.EPERM)
        }
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) { add("send", target) }

    func didReceive(_ result: Result<TargetResponse, TargetError>, target: any TargetType) {
        add("receive:" + NotingPlugin.text(result), target)
    }

    func process(
        _ result: Result<TargetResponse, TargetError>, target: any TargetType
    ) -> Result<TargetResponse, TargetError> {
        add("process:" + NotingPlugin.text(result), target)
        return result
    }
}

/// A sequence of calls and what each receives.
///
/// `prepare` stands for both plugins, in order.
struct PluginRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (PluginBench) async -> Void
    let heard: [String: String]

    init(
        _ name: String, hears heard: [String: String],
        _ run: @escaping @Sendable (PluginBench) async -> Void
    ) {
        (testDescription, self.heard, self.run) = (name, heard, run)
    }

    static let all = [
        PluginRow("a success", hears: ["a": "prepare send receive:200 process:200 end:200"]) {
            bench in
            bench.send("a")
            await bench.transport.exchange().replyAtOnce(200, [:], "")
            await bench.ends(1)
        },
        PluginRow(
            "a path that leads elsewhere",
            hears: ["a": "receive:mapping process:mapping end:mapping"]
        ) {
            $0.send("a") { $0.path = "../x" }
            await $0.ends(1)
        },
        PluginRow(
            "a plugin that fails",
            hears: ["a": "1prepare receive:POSIXError process:POSIXError end:POSIXError"]
        ) {
            $0.send("a") { $0.headers = ["X-Fail": "60.0"] }
            await $0.ends(1)
        },
        PluginRow(
            "a status that is refused",
            hears: [
                "a": "prepare send receive:validation 500 process:validation 500 end:validation 500"
            ]
        ) { bench in
            bench.send("a") { $0.validationType = .successCodes }
            await bench.transport.exchange().replyAtOnce(500, [:], "")
            await bench.ends(1)
        },
        PluginRow(
            "a connection that breaks",
            hears: ["a": "prepare send receive:transport process:transport end:transport"]
        ) { bench in
            bench.send("a")
            await bench.transport.exchange().fail(.lost)
            await bench.ends(1)
        },
        PluginRow(
            "a cancel before there is a request",
            hears: [
                "a": "receive:cancellation process:cancellation end:cancellation"
            ]
        ) { bench in
            bench.send("a") { $0.method = "WAIT" }.cancel()
            await bench.ends(1)
        },
        PluginRow(
            "two cancels while the server is awaited",
            hears: ["a": "prepare send receive:cancellation process:cancellation end:cancellation"]
        ) { bench in
            let call = bench.send("a")
            _ = await bench.transport.exchange()
            call.cancel()
            call.cancel()
            await bench.ends(1)
        },
        PluginRow(
            "a cancel behind the end",
            hears: ["a": "prepare send receive:200 process:200 end:200"]
        ) { bench in
            let call = bench.send("a")
            await bench.transport.exchange().replyAtOnce(200, [:], "")
            await bench.ends(1)
            call.cancel()
            await bench.settle()
        },
        PluginRow(
            "a retry",
            hears: ["a": "prepare send prepare send receive:200 process:200 end:200"]
        ) { bench in
            bench.retry(1)
            bench.send("a")
            await bench.transport.exchange().fail(.lost)
            await bench.transport.exchange(1).replyAtOnce(200, [:], "")
            await bench.ends(1)
        },
        PluginRow(
            "retries that do not help",
            hears: [
                "a":
                    "prepare send prepare send prepare send receive:transport process:transport end:transport"
            ]
        ) { bench in
            bench.retry(2)
            bench.send("a")
            for number in 0..<3 { await bench.transport.exchange(number).fail(.lost) }
            await bench.ends(1)
        },
        PluginRow(
            "a cancel between two attempts",
            hears: ["a": "prepare send receive:cancellation process:cancellation end:cancellation"]
        ) { bench in
            let asked = Recorder<Void>()
            bench.manager.interceptors = [Retrier { _, _, _, _ in asked.add(()) }]
            let call = bench.send("a")
            await bench.transport.exchange().fail(.lost)
            await asked.wait(for: 1)
            call.cancel()
            await bench.ends(1)
        },
        PluginRow(
            "a sample", hears: ["a": "prepare send receive:201 process:201 end:201"]
        ) { bench in
            bench.send("a", .stubbed)
            await bench.ends(1)
        },
        PluginRow(
            "a sample that is an error",
            hears: ["a": "prepare send receive:POSIXError process:POSIXError end:POSIXError"]
        ) { bench in
            bench.send("a", .stubbed) { $0.method = "FAIL" }
            await bench.ends(1)
        },
        PluginRow(
            "a shared exchange",
            hears: [
                "a": "prepare send receive:200 process:200 end:200",
                "b": "prepare process:200 end:200", "c": "prepare process:200 end:200",
            ]
        ) { bench in
            bench.send("a", .sharing)
            let exchange = await bench.transport.exchange()
            for call in ["b", "c"] { bench.send(call, .sharing) }
            await bench.settle()
            exchange.replyAtOnce(200, [:], "")
            await bench.ends(3)
        },
        PluginRow(
            "a shared exchange that is made again",
            hears: [
                "a": "prepare send prepare send receive:transport process:transport end:transport",
                "b": "prepare process:transport end:transport",
            ]
        ) { bench in
            bench.retry(1)
            bench.send("a", .sharing)
            let exchange = await bench.transport.exchange()
            bench.send("b", .sharing)
            await bench.settle()
            exchange.fail(.lost)
            await bench.transport.exchange(1).fail(.lost)
            await bench.ends(2)
        },
        PluginRow(
            "a joiner that cancels",
            hears: [
                "a": "prepare send receive:200 process:200 end:200",
                "b": "prepare process:cancellation end:cancellation",
            ]
        ) { bench in
            bench.send("a", .sharing)
            let exchange = await bench.transport.exchange()
            let joiner = bench.send("b", .sharing)
            await bench.settle()
            joiner.cancel()
            await bench.ends(1)
            exchange.replyAtOnce(200, [:], "")
            await bench.ends(2)
        },
        PluginRow(
            "a leader that cancels: another call's plugins hear of the response",
            hears: [
                "a": "prepare send receive:cancellation process:cancellation end:cancellation",
                "b": "prepare receive:200 process:200 end:200",
            ]
        ) { bench in
            let leader = bench.send("a", .sharing)
            let exchange = await bench.transport.exchange()
            bench.send("b", .sharing)
            await bench.settle()
            leader.cancel()
            await bench.ends(1)
            exchange.replyAtOnce(200, [:], "")
            await bench.ends(2)
        },
        PluginRow(
            "a leader and then a joiner that cancel: the plugins of the last one hear",
            hears: [
                "a": "prepare send receive:cancellation process:cancellation end:cancellation",
                "b": "prepare process:cancellation end:cancellation",
                "c": "prepare receive:200 process:200 end:200",
            ]
        ) { bench in
            let leader = bench.send("a", .sharing)
            let exchange = await bench.transport.exchange()
            let joiner = bench.send("b", .sharing)
            bench.send("c", .sharing)
            await bench.settle()
            leader.cancel()
            await bench.ends(1)
            joiner.cancel()
            await bench.ends(2)
            exchange.replyAtOnce(200, [:], "")
            await bench.ends(3)
        },
        PluginRow(
            "a plugin's failure that was retried, and an adapter's behind it",
            hears: [
                "a": "1prepare receive:interception process:interception end:interception"
            ]
        ) { bench in
            let retried = Locked(false)
            bench.manager.interceptors = [
                Interceptor(
                    adapters: [
                        Adapter { request, _, completion in
                            if retried.withLock({ $0 }) {
                                return completion(.failure(POSIXError(.EIO)))
                            }
                            completion(.success(request))
                        }
                    ],
                    retriers: [
                        Retrier { _, _, _, completion in
                            let isFirst = retried.withLock { retried in
                                defer { retried = true }
                                return !retried
                            }
                            completion(isFirst ? .retry : .doNotRetry)
                        }
                    ])
            ]
            bench.send("a") { $0.headers = ["X-Fail": "60.0"] }
            await bench.ends(1)
        },
        PluginRow(
            "all that share cancel, the leader first",
            hears: [
                "a": "prepare send receive:cancellation process:cancellation end:cancellation",
                "b": "prepare receive:cancellation process:cancellation end:cancellation",
            ]
        ) { bench in
            let leader = bench.send("a", .sharing)
            _ = await bench.transport.exchange()
            let joiner = bench.send("b", .sharing)
            await bench.settle()
            leader.cancel()
            await bench.ends(1)
            joiner.cancel()
            await bench.ends(2)
        },
        PluginRow(
            "a leader that the session cancels: the other call sends",
            hears: [
                "a": "prepare send receive:cancellation process:cancellation end:cancellation",
                "b": "prepare prepare send receive:200 process:200 end:200",
            ]
        ) { bench in
            bench.send("a", .sharing)
            _ = await bench.transport.exchange()
            bench.send("b", .sharing)
            await bench.settle()
            bench.manager.tasks.min { $0.taskIdentifier < $1.taskIdentifier }?.cancel()
            await bench.transport.exchange(1).replyAtOnce(200, [:], "")
            await bench.ends(2)
        },
    ]

    /// Returns the steps of both plugins in full.
    static func steps(_ short: String) -> String {
        // A status code belongs to the step before it.
        var words: [String] = []
        for word in short.split(separator: " ") {
            if word.allSatisfy(\.isNumber) {
                words[words.count - 1] += " \(word)"
            } else {
                words.append(String(word))
            }
        }
        return words.flatMap { word in
            word.hasPrefix("end") || word.first?.isNumber == true
                ? [word] : ["1" + word, "2" + word]
        }.joined(separator: " ")
    }
}

@Suite("Plugin calls", .timeLimit(.minutes(2)))
struct PluginTableTests {
    @Test("order, counts and results are the same for every kind of end", arguments: PluginRow.all)
    func table(row: PluginRow) async {
        let bench = PluginBench()
        await row.run(bench)
        for (call, short) in row.heard {
            #expect(
                bench.heard(by: call) == PluginRow.steps(short), "\(row.testDescription), \(call)")
        }
    }
}
