import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The validators of a task", .timeLimit(.minutes(5)))
struct ValidatorTests {
    private struct Refusal: Error, CustomStringConvertible {
        var description: String
        init(_ text: String) { description = text }
    }

    private let rig = SessionRig()

    private static var request: URLRequest {
        get throws { URLRequest(url: try #require(URL(string: "http://stub.test/a"))) }
    }

    private func refused(_ response: Response<some Sendable>?) -> String? {
        guard case .validation(_, let context)? = response?.error else { return nil }
        return (context.underlying as? Refusal)?.description
    }

    /// Returns the response of a task with these validators.
    private func response(
        _ validators: [ResponseValidator], _ status: Int = 200,
        _ headers: [String: String] = ["Content-Type": "application/json"], _ body: String = "[1]"
    ) async -> Response<any Sendable> {
        let task = rig.task()
        for validator in validators { task.addValidator(validator) }
        task.resume()
        await rig.stub.exchange().reply(status, headers, body)
        let response = await rig.response
        await rig.expectOneCompletion()
        return response
    }

    @Test("the first refusal in order is the error, although heads are judged before bodies")
    func order() async {
        let asked = Recorder<String>()
        let response = await response([
            .head { _, _ in asked.add("head 1") },
            .body { _, _, _ in
                asked.add("body")
                throw Refusal("body")
            },
            .head { _, _ in
                asked.add("head 2")
                throw Refusal("head 2")
            },
            .head { _, _ in asked.add("head 3") },
        ])
        #expect(refused(response) == "body")
        #expect(asked.all == ["head 1", "head 2", "body"])
    }

    @Test("each is called once with the head, the body and the sent request")
    func material() async {
        let asked = Recorder<String>()
        let response = await response([
            .head { head, request in asked.add("\(head.statusCode) \(request?.url?.path ?? "")") },
            .body { data, head, _ in asked.add("\(String(decoding: data, as: UTF8.self))") },
        ])
        #expect(response.error == nil && asked.all == ["200 /a", "[1]"])
    }

    @Test("a refusal keeps the body, also parsed, and names the request and its reason")
    func refusal() async throws {
        let response = await response([.body { _, _, _ in throw Refusal("quota is used up") }])
        #expect(refused(response) == "quota is used up")
        #expect(response.data == Data("[1]".utf8) && response.object as? [Int] == [1])
        let error = try #require(response.error)
        #expect(error.description.contains("quota is used up"))
        #expect(error.description.contains("GET http://stub.test/a"))
        #expect(error.urlError.code == .badServerResponse && error.context.head?.statusCode == 200)
    }

    @Test(
        "the serializer's verdict comes first, and the library's errors are not wrapped")
    func own() async {
        let response = await response([.head { _, _ in throw Refusal("late") }], 404)
        guard case .unacceptableStatus(404, _)? = response.error else {
            Issue.record("\(response)")
            return
        }
    }

    @Test(
        "the serializer's status codes and types can be refused", arguments: [true, false])
    func narrower(isStatus: Bool) async {
        let response = await response(
            [isStatus ? .statusCodes([201]) : .contentTypes(["text/json"])])
        switch response.error {
        case .unacceptableStatus(200, _)? where isStatus: break
        case .unacceptableContentType("application/json", _, _)? where !isStatus: break
        default: Issue.record("\(response)")
        }
    }

    @Test(
        "an empty body cancels a verdict on its type, and then the others run"
    )
    func emptyBody() async {
        let response = await response(
            [.head { head, _ in if head.value(of: "X-Bad") != nil { throw Refusal("bad") } }],
            200, ["Content-Type": "text/html", "X-Bad": "1"], "")
        #expect(refused(response) == "bad")
    }

    @Test("a response that did not arrive completely is not judged")
    func transportError() async {
        let asked = Recorder<Void>()
        let task = rig.task()
        task.addValidator(.body { _, _, _ in asked.add(()) })
        task.resume()
        await rig.stub.exchange().fail(.lost)
        #expect(await rig.response.error?.urlError.code == .networkConnectionLost)
        #expect(asked.count == 0)
    }

    @Test("a stream's head is judged before its reader gets it, and its body never")
    func stream() async throws {
        let manager = SessionManager(transport: ManualTransport { $0.reply(200, [:], "abc") })
        let channel = ResponseChannel()
        let task: DataTask = manager.makeTask(
            .made(.success(try Self.request)),
            StreamResponder(serializer: HTTPResponseSerializer(), channel: channel),
            isJudged: false, flow: .stream(channel))
        let asked = Recorder<Void>()
        task.addValidator(.body { _, _, _ in asked.add(()) })
        task.addValidator(.head { _, _ in throw Refusal("no stream") })
        task.resume()
        let head = await channel.head
        guard case .failure(.validation(_, let context)) = head else {
            Issue.record("\(head)")
            return
        }
        #expect((context.underlying as? Refusal)?.description == "no stream" && asked.count == 0)
    }

    @Test("a refused file is not moved to its destination, and an accepted one is")
    func file() async throws {
        for isRefused in [true, false] {
            let rig = try DownloadRig { $0.reply(200, DownloadRig.tagged, "abc") }
            let seen = Recorder<String?>()
            let task = try rig.task()
            task.addValidator(.body { _, _, _ in seen.add("a body") })
            task.addValidator(
                .file { url, _, _ in
                    seen.add(try? String(contentsOf: url, encoding: .utf8))
                    if isRefused { throw Refusal("bad file") }
                })
            task.resume()
            let response = await rig.responses.wait(for: 1)[0]
            #expect(seen.all == ["abc"])
            #expect(refused(response) == (isRefused ? "bad file" : nil))
            let place = rig.directory.file("result")
            #expect(FileManager.default.fileExists(atPath: place.path) == !isRefused)
            // Nothing is kept for a resume, because the file is complete.
            #expect(response.error?.resumeData == nil)
            // The disk has its own queue, and handlers do not wait for it.
            let isClean = await until {
                let files = try? FileManager.default.contentsOfDirectory(
                    atPath: place.deletingLastPathComponent().path)
                return files == (isRefused ? [] : ["result"])
            }
            #expect(isClean)
        }
    }
}
