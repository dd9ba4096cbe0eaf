import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("A secret that is sent", .timeLimit(.minutes(5)))
struct CanaryTests {
    @Test("it is in no text of errors, responses, tasks, challenges and notifications")
    func texts() async throws {
        let run = try CanaryRun()
        let texts = try await run.everything()
        for (place, text) in texts {
            let told = CanaryRun.forms.filter { text.contains($0) }
            #expect(told.isEmpty, "\(place): \(text)")
        }
        // It was sent, and each kind of value was examined.
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

    @Test("it is not written to the process's output, and neither is anything else")
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

    @Test("a client identity's passphrase is in no text of its users or of load errors")
    func passphrase() async throws {
        let made = try await TestIdentities.shared()
        let (container, passphrase) = (made.data("deep.p12"), TestIdentities.passphrase)
        let texts = PrintedTexts()
        var configuration = SessionConfiguration()
        configuration.clientIdentity = try ClientIdentity(
            pkcs12: container, passphrase: passphrase)
        let manager = HTTPSessionManager(configuration: configuration)
        let port = try #require(URL(string: FixtureServer().baseURL)?.port)
        for scheme in ["http", "https"] {
            let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/none"))
            let task = manager.dataTask(with: URLRequest(url: url), completionHandler: nil)
            texts.add("task", task)
            let response = await manager.response(
                for: URLRequest(url: url), serializer: HTTPResponseSerializer())
            texts.add("response", response)
            texts.add("error", try #require(response.error))
        }
        for value in [manager, configuration, manager.clientIdentities] as [Any] {
            texts.add("manager", value)
        }
        #expect {
            try ClientIdentity(pkcs12: container, passphrase: "\(passphrase)!")
        } throws: { error in
            texts.add("failure", error)
            return true
        }
        for (place, text) in texts.all { #expect(!text.contains(passphrase), "\(place): \(text)") }
    }
}
