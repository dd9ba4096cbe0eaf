import Bluebonnet
import FixtureServer
import Foundation
import Testing

@Suite("A secret that is sent", .timeLimit(.minutes(2)))
struct CanaryTests {
    @Test("is in no text that can be made of errors, responses, tasks, challenges, notifications")
    func texts() async throws {
        let run = try CanaryRun()
        let texts = try await run.everything()
        for (place, text) in texts {
            let told = CanaryRun.forms.filter { text.contains($0) }
            #expect(told.isEmpty, "\(place): \(text)")
        }
        // It was there to be told, and each kind of thing was looked at.
        let sent = run.server.recordedRequests.map { "\($0.target) \($0.headers)" }.joined()
        for form in [CanaryRun.secret, CanaryRun.forms[1], CanaryRun.forms[4]] {
            #expect(sent.contains(form), "\(form)")
        }
        for place in ["start", "completion", "redirect", "challenge", "notification"] {
            #expect(texts.contains { $0.place == place }, "\(place)")
        }
        let all = texts.map(\.text).joined()
        for word in ["407", "tunnel", "cancelled", "could not be read"] {
            #expect(all.contains(word), "\(word)")
        }
    }

    @Test("is not written to the process's output, and nothing else is")
    func output() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            _ = try await CanaryRun().everything()
            FileHandle.standardError.write(Data("the end".utf8))
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(errors == "the end" && output.isEmpty, "\(output)\(errors)")
    }
}
