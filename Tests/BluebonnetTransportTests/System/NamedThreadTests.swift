import BluebonnetTransport
import Foundation
import Testing

@Suite("The library's threads", .timeLimit(.minutes(5)))
struct NamedThreadTests {
    @Test(
        "a thread has its name, truncated to the system's limit",
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

/// Returns the system's name of the calling thread.
private func ownName() -> String? {
    let line = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return line?.trimmingCharacters(in: .newlines)
}
