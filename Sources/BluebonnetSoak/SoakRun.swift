import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Glibc

/// The whole run: rounds, each with a manager of its own, in which healthy tasks run for a while
/// alone, and then beside everything that can go wrong.
final class SoakRun {
    private let options: SoakOptions
    private let ledger = Ledger()
    private let transport = CurlTransport(threadName: "soak", measuresProcessorTime: true)
    private let invariants: Invariants
    /// Holds the servers' certificates and logs, and ``directory``.
    private let home: ServerDirectory
    private let certificates: TestCertificates
    /// Where the tasks' files are.
    private let directory: URL
    /// Those that end the run early; the servers end with their input.
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
        // What the library puts aside without a destination is watched as well.
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

    /// Whether everything held.
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

    /// A third of the time is quiet, so that both are measured under the same load of the machine.
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
            // Some rounds end in the midst of everything.
            if random.next() % 2 == 0 {
                ledger.disturb { manager.invalidate(cancelingTasks: true, resetSession: false) }
            }
            invariants.expectOnlyHealthy(within: Self.timeout + Invariants.patience)
        }
        invariants.expectGone(within: 10) { formerManager == nil }
        invariants.checkAtRest(round: rounds)
    }

    static let timeout = 10.0

    /// A machine that stands still for a second or two must not end what has nothing else against it;
    /// who is to meet the idle timeout asks for a shorter one.
    private static var configuration: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.timeouts = Exchange.Timeouts(
            connect: 5, head: 5, idle: 5, whole: timeout, queue: 8)
        // Fewer than the tasks, so that some wait in line.
        configuration.maximumConnectionsPerHost = 40
        return configuration
    }

    /// Closes the server's idle connections, resets all, or restarts it.
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

    /// Waits, and meanwhile looks at what must hold all the time.
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
                format: "soak: %4.0f s, round %d: %d started, %d ended (%d failed, %d cancelled), "
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
                    format: "soak: healthy tasks, %@: %.2f ms alone (%d), %.2f ms beside faults "
                        + "(%d), %.2f times",
                    name, alone, quiet.count, beside, busy.count, beside / max(0.001, alone)))
        }
        for text in invariants.summaries + summary.complaints { print("soak: \(text)") }
        let holds = summary.complaintCount == 0 && summary.starts == summary.ends
        print("soak: \(holds ? "everything held" : "FAILED, --seed \(options.seed)")")
        return holds
    }
}
