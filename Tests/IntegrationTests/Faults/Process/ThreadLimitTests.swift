import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import CBluebonnetTestResolver
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("A process that gets no more threads", .timeLimit(.minutes(5)))
struct ThreadLimitTests {
    /// Waits for the end of an exchange on the thread that started it, which takes no other.
    private final class WaitingSink: ExchangeSink {
        private let failures = Locked<[Exchange.Failure?]>([])
        private let ended = DispatchSemaphore(value: 0)

        func receive(_ report: Exchange.Report) {
            guard let end = report.end else { return }
            failures.withLock { $0.append(end.failure) }
            ended.signal()
        }

        /// The failures of all ends.
        var ends: [Exchange.Failure?] {
            ended.wait()
            return failures.withLock { $0 }
        }
    }

    private static func get(_ url: String, _ transport: CurlTransport) -> [Exchange.Failure?] {
        let sink = WaitingSink()
        _ = transport.start(
            Exchange(method: "GET", url: url, pool: Exchange.Pool()), reportingTo: sink)
        return sink.ends
    }

    private static func run(_ base: String) {
        // The limit is not for a superuser.
        guard getuid() != 0 || setuid(65534) == 0 else { return }
        #expect(bt_resolver_answer("threads.fault.test", "127.0.0.1") == 0)
        let named = base.replacing("127.0.0.1", with: "threads.fault.test") + "/text"
        let early = CurlTransport()
        #expect(get(base + "/text", early) == [nil])
        guard let limit = ProcessLimit(.processes, 1) else { return }
        let late = CurlTransport()
        let failure = get(base + "/text", late)
        #expect(failure.count == 1 && failure[0]?.systemErrorNumber == EAGAIN, "\(failure)")
        #expect(failure.first??.message.contains("thread could not be started") == true)
        // A thread that there is serves on; a look-up takes another.
        #expect(get(base + "/text", early) == [nil])
        let lookUp = get(named, early)
        #expect(lookUp.count == 1 && lookUp[0]?.code == .cannotFindHost, "\(lookUp)")
        limit.lift()
        for transport in [early, late] {
            #expect(get(base + "/text", transport) == [nil])
            #expect(get(named, transport) == [nil])
        }
    }

    @Test(
        "fails what needs one, serves what does not, and recovers (fault 87)",
        .disabled(if: ProcessState.isSanitized, "a sanitizer looks at its process at the end"))
    func threads() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            await onOwnThread { Self.run(base) }
        }
        #expect(server.requestCount == 6)
    }
}
