import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Bodies of tasks that policies retry", .timeLimit(.minutes(5)))
struct RetryBodyTests {
    private let clock = ManualClock()

    private func rig(_ answers: StubResponse...) -> StubRig {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [.retryPolicy]
        rig.answer(answers)
        return rig
    }

    @Test("a timeout of an attempt is retried within the deadline of the task")
    func timeouts() async throws {
        let rig = rig(.silence, .good)
        #expect(await rig.get(.timeout(5), on: clock) == nil)
        #expect(rig.requestTimes == [0, 5.5])
        let late = self.rig(.silence, .good)
        let start = clock.now
        let error = try #require(await late.get([.timeout(5), .deadline(5.2)], on: clock))
        #expect(error.timeout == .idle && clock.now - start == .seconds(5))
    }

    @Test("a stream is retried before its head is accepted, and not after it is returned")
    func streams() async throws {
        let rig = rig(.status(503), .text("abcdef").cut(after: 3), .text("abcdef"))
        let (text, error) = try await clock.run { [manager = rig.manager] in
            let stream = try await manager.stream("a")
            var text = ""
            do {
                for try await piece in stream { text += String(decoding: piece, as: UTF8.self) }
            } catch {
                return (text, error as? BluebonnetError)
            }
            return (text, nil)
        }
        #expect(text == "abc" && error?.urlError.code == .networkConnectionLost)
        #expect(rig.stub.requests.count == 2)
    }

    @Test("a download that broke continues where it stopped")
    func downloads() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appending(path: "file")
        let rig = rig(
            .text("abcdef").header("ETag", "\"1\"").cut(after: 3),
            .text("def", status: 206).header("ETag", "\"1\"")
                .header("Content-Range", "bytes 3-5/6"))
        let url = try await clock.run { [manager = rig.manager] in
            try await manager.download("a", to: file)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == "abcdef")
        #expect(rig.stub.requests.last?.headers["Range"] == "bytes=3-")
    }

    @Test("a body in memory, or a stream from a closure, is sent again")
    func bodies() async throws {
        let bodies: [RequestBody] = [
            .data(Data("abc".utf8)), .stream(length: 3) { InputStream(data: Data("abc".utf8)) },
        ]
        for body in bodies {
            let rig = rig(.status(503), .good)
            _ = try await clock.run { [manager = rig.manager] in
                try await manager.upload(body, to: "a", method: .put)
            }
            #expect(rig.stub.requests.map(\.text) == ["abc", "abc"])
        }
    }
}
