import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Dispatch
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("Closed standard descriptors", .timeLimit(.minutes(5)))
struct ClosedDescriptorsTests {
    private static let standard: ClosedRange<Int32> = 0...2

    private static func closeStandard() { for descriptor in standard { close(descriptor) } }

    /// A timer of Dispatch that has fired once and will again: while it runs, Dispatch opens no other
    /// descriptor for the timers of the test library, which could take a number that is closed.
    private static func runningTimer() async -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource()
        await withCheckedContinuation { (fired: CheckedContinuation<Void, Never>) in
            let first = Locked(Optional(fired))
            timer.setEventHandler { first.withLock { $0.take() }?.resume() }
            timer.schedule(deadline: .now(), repeating: .seconds(3600))
            timer.activate()
        }
        return timer
    }

    /// The numbers of the open descriptors, without the one that lists them.
    private static func openDescriptors() -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) >= 0 })
    }

    private static func target(of descriptor: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }

    /// Whether the standard descriptors can be read, written and inherited, and lead nowhere.
    private static var areStandardUsable: Bool {
        standard.allSatisfy { descriptor in
            target(of: descriptor) == "/dev/null" && fcntl(descriptor, F_GETFD) == 0
                && fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDWR
        }
    }

    /// Makes a request and prints; ends the process with a number that says what went wrong.
    private static func useManager(after former: Set<Int32>) async throws {
        let manager = HTTPSessionManager()
        guard areStandardUsable else { _exit(2) }
        let server = try FixtureServer()
        let url = try #require(URL(string: server.baseURL + "/bytes/300000"))
        let response = await manager.response(for: URLRequest(url: url), serializer: .http)
        guard response.value?.count == 300_000 else { _exit(3) }
        // What is printed goes into no socket, which could end the process by SIGPIPE.
        signal(SIGPIPE, SIG_DFL)
        print("printed")
        guard fflush(nil) == 0, write(2, "printed", 7) == 7 else { _exit(4) }
        let own = openDescriptors().subtracting(former).subtracting(standard)
        guard own.count > 3 else { _exit(5) }
        // The sockets with which libcurl wakes itself.
        let mayBeInherited = LibcurlQuirks.current.leavesWakeupSocketsOpen
        for descriptor in own where fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 {
            guard mayBeInherited, target(of: descriptor)?.hasPrefix("socket:") == true else {
                _exit(6)
            }
        }
        guard areStandardUsable else { _exit(7) }
    }

    @Test("a program that closes them before it makes a manager can print (fault 89)")
    func closedLate() async {
        await #expect(processExitsWith: .success) {
            let timer = await Self.runningTimer()
            Self.closeStandard()
            try await Self.useManager(after: Self.openDescriptors())
            timer.cancel()
        }
    }

    /// Executes this program again, with the variables that it was started with and another one.
    private static func restart(adding variable: String) -> Never {
        let environment = FileManager.default.contents(atPath: "/proc/self/environ") ?? Data()
        var variables = environment.split(separator: 0).map {
            strdup(String(decoding: $0, as: UTF8.self))
        }
        variables += [strdup(variable), nil]
        execve("/proc/self/exe", CommandLine.unsafeArgv, variables)
        _exit(8)
    }

    @Test(
        "a program that is started without them can print, and no file takes their numbers (fault 89)"
    )
    func closedAtStart() async {
        await #expect(processExitsWith: .success) {
            let mark = "BLUEBONNET_STARTED_WITHOUT_DESCRIPTORS"
            guard getenv(mark) != nil else {
                Self.closeStandard()
                Self.restart(adding: mark + "=1")
            }
            // Before there is a manager.
            guard Self.areStandardUsable else { _exit(9) }
            try await Self.useManager(after: Self.openDescriptors())
        }
    }
}
