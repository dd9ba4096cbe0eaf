import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Glibc

/// A soak test that runs in rounds, each with its own manager.
///
/// In each round, healthy tasks first run alone, and then at the same time as tasks that meet
/// faults.
final class SoakRun {
    private let options: SoakOptions
    private let ledger = Ledger()
    private let transport = CurlTransport(threadName: "soak", measuresProcessorTime: true)
    private let invariants: Invariants
    /// The directory of the servers' certificates and logs, which also contains ``directory``.
    private let home: ServerDirectory
    private let certificates: TestCertificates
    /// The directory of the tasks' files.
    private let directory: URL
    /// The sources of the signals that end the run early.
    ///
    /// The servers end when their standard input ends.
    private let signals: [any DispatchSourceSignal]
    private let quiet = Latencies()
    private let busy = Latencies()
    private var random: SeededGenerator
    private var restarts = 0
    private var rounds = 0
    private let start = Ledger.now
    private var lastReport = Ledger.now

    init(_ options: SoakOptions) throws {
        self.options = options
        random = SeededGenerator(seed: options.seed)
        let home = try ServerDirectory(for: "soak")
        self.home = home
        directory = home.file("files")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        certificates = try runBlocking { try await TestCertificates.make(in: home) }
        // Files that the library creates without a destination are checked as well.
        setenv("TMPDIR", directory.path, 1)
        signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                home.remove()
                exit(128 + number)
            }
            source.resume()
            return source
        }
        invariants = Invariants(ledger, directory: directory)
    }

    /// Runs all rounds and returns whether all checks passed.
    func run() throws -> Bool {
        print("soak: \(options.minutes) minutes, --seed \(options.seed)")
        let healthyServer = try SoakServerProcess(in: home)
        defer {
            healthyServer.kill()
            home.remove()
        }
        guard let url = URL(string: healthyServer.baseURLs[0] + "/bytes/2000") else { return false }
        let healthy = HealthyTasks(ledger, SessionManager(transport: transport), url: url)
        healthy.start()
        let seconds = options.minutes * 60
        let length = min(30, max(8, seconds / 10))
        while Ledger.now - start < seconds, !invariants.isHopeless {
            try round(healthy, length: length)
        }
        healthy.stop()
        invariants.expectAllEnded(within: 30)
        report()
        return verdict()
    }

    // MARK: One round

    /// Runs a round, a third of which is quiet.
    ///
    /// Both parts are therefore measured under the same load of the machine.
    private func round(_ healthy: HealthyTasks, length: Double) throws {
        rounds += 1
        wait(min(1, length / 10))
        healthy.measure(quiet)
        wait(length / 3)
        healthy.measure(nil)
        var server = try SoakServerProcess(in: home)
        defer { server.kill() }
        weak var formerManager: SessionManager?
        do {
            let manager = SessionManager(
                configuration: Self.configuration, transport: transport)
            manager.securityPolicy.certificateAuthorities = URL(
                fileURLWithPath: certificates.authority)
            formerManager = manager
            let workload = Workload(
                manager, ledger, directory: directory, baseURLs: server.baseURLs,
                seed: random.next())
            workload.start(options.taskCount)
            wait(min(1, length / 10))
            healthy.measure(busy)
            let end = Ledger.now + length / 2
            while Ledger.now < end {
                wait(Double.random(in: 0.3..<1.5, using: &random))
                try disturb(&server, workload)
            }
            healthy.measure(nil)
            workload.stop()
            // About half of the rounds end by canceling the tasks in flight.
            if random.next() % 2 == 0 {
                ledger.disturb { manager.invalidate(cancelingTasks: true, resetSession: false) }
            }
            invariants.expectOnlyHealthy(within: Self.timeout + Invariants.patience)
        }
        invariants.expectGone(within: 10) { formerManager == nil }
        invariants.checkAtRest(round: rounds)
    }

    static let timeout = 10.0

    /// The configuration of each round's manager.
    ///
    /// A pause of the machine of a second or two must not end a healthy task. Tasks that should
    /// reach the idle timeout set a shorter one.
    private static var configuration: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.timeouts = Exchange.Timeouts(
            connect: 5, head: 5, idle: 5, whole: timeout, queue: 8)
        // Fewer connections than tasks, so that some tasks wait for a connection.
        configuration.maximumConnectionsPerHost = 40
        return configuration
    }

    /// Closes the server's idle connections, resets all connections or restarts the server.
    ///
    /// Half of the calls do nothing.
    private func disturb(_ server: inout SoakServerProcess, _ workload: Workload) throws {
        let kind = random.next() % 10
        guard kind < 5 else { return }
        try ledger.disturb {
            switch kind {
            case 0:
                server.kill()
                restarts += 1
                server = try SoakServerProcess(in: home)
                workload.baseURLs = server.baseURLs
            case 1, 2: server.send("reset")
            default: server.send("idle")
            }
        }
    }

    // MARK: Reports

    /// Waits, and meanwhile checks the conditions that must always hold.
    private func wait(_ seconds: Double) {
        let end = Ledger.now + seconds
        while Ledger.now < end {
            usleep(UInt32(1_000_000 * min(0.25, max(0.001, end - Ledger.now))))
            invariants.checkAges(limit: Self.timeout)
            if Ledger.now - lastReport >= 30 { report() }
        }
    }

    private func report() {
        lastReport = Ledger.now
        let (summary, state) = (ledger.summary, HeldResources.current)
        print(
            String(
                format: "soak: %4.0f s, round %d: %d started, %d ended (%d failed, %d canceled), "
                    + "%d open; %@; %d restarts; longest turn %.1f ms (%.1f ms on the processor); "
                    + "%d complaints",
                Ledger.now - start, rounds, summary.starts, summary.ends, summary.failures,
                summary.cancels, summary.open, "\(state)", restarts,
                transport.longestTurn * 1000, transport.longestTurnOnProcessor * 1000,
                summary.complaintCount))
        fflush(nil)
    }

    private func verdict() -> Bool {
        let summary = ledger.summary
        let kinds = summary.kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("soak: started: \(kinds.joined(separator: ", "))")
        print("soak: the longest task took \(String(format: "%.2f", summary.longest)) s")
        for (part, name) in [(0.5, "median"), (0.99, "99th percentile")] {
            let (alone, beside) = (quiet.milliseconds(at: part), busy.milliseconds(at: part))
            print(
                String(
                    format: "soak: healthy tasks, %@: %.2f ms alone (%d), %.2f ms with faults "
                        + "(%d), %.2f times",
                    name, alone, quiet.count, beside, busy.count, beside / max(0.001, alone)))
        }
        for text in invariants.summaries + summary.complaints { print("soak: \(text)") }
        let holds = summary.complaintCount == 0 && summary.starts == summary.ends
        print("soak: \(holds ? "all checks passed" : "FAILED, repeat with --seed \(options.seed)")")
        return holds
    }
}
