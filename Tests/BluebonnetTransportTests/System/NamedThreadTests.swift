import BluebonnetTransport
import Foundation
import Testing

@Suite("Threads of the library", .timeLimit(.minutes(5)))
struct NamedThreadTests {
    @Test(
        "a thread is known by its name, or by as much of it as the system takes",
        arguments: [
            ("bluebonnet-test", "bluebonnet-test"), ("bluebonnet-testing", "bluebonnet-test"),
        ])
    func name(given: String, known: String) async throws {
        let name: String? = try await withCheckedThrowingContinuation { continuation in
            do throws(ThreadNotStarted) {
                try NamedThread.startDetached(given) { continuation.resume(returning: ownName()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(name == known)
    }
}

/// What the system calls the calling thread.
private func ownName() -> String? {
    let line = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return line?.trimmingCharacters(in: .newlines)
}
