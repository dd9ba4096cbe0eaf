import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("A loop whose thread ends", .timeLimit(.minutes(5)))
struct LostLoopTests {
    private static var epolls: Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let found = names.filter { name in
            let place = "/proc/self/fd/\(name)"
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place)
            return target == "anon_inode:[eventpoll]"
        }
        return Set(found.compactMap { Int32($0) })
    }

    /// Replaces the loop's epoll instance with a file that cannot be waited on.
    private static func breakLoop(_ epolls: Set<Int32>) {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        for epoll in epolls { _ = dup2(nothing, epoll) }
        close(nothing)
    }

    private static func run() async throws {
        let fixture = try TransportFixture()
        // By now, all other epoll instances of the process exist.
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        let before = epolls
        let transport = CurlTransport()
        for _ in 0..<3 {
            let pairs = ["/hang", "/endless"].map { transport.begin(fixture.exchange($0)) }
            _ = await pairs[1].recorder.when { $0.byteCount > 0 }
            let own = epolls.subtracting(before)
            #expect(own.count == 1)
            breakLoop(own)
            for pair in pairs {
                let failure = await pair.recorder.atEnd.failure
                #expect(failure?.systemErrorNumber == EINVAL, "\(failure as Any)")
                #expect(failure?.message.contains("cannot wait") == true)
                pair.transfer.cancel()
                pair.transfer.resume()
            }
            #expect(await transport.connections().isEmpty)
            let next = await transport.perform(fixture.exchange("/text"))
            #expect(next.failure == nil)
            #expect(await transport.connections().map(\.open) == [1])
            for pair in pairs { #expect(pair.recorder.now.ends.count == 1) }
        }
        #expect(await transport.openSocketCount == 1)
        transport.shutDown()
        #expect(await transport.perform(fixture.exchange("/text")).failure?.code == .cancelled)
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections <= 1 })
    }

    @Test("it fails exchanges under way, and the next one gets another loop (fault 95)")
    func rebuilt() async {
        await #expect(processExitsWith: .success) { try await Self.run() }
    }
}
