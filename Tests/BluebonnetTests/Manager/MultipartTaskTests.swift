import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Tasks that send a form", .timeLimit(.minutes(5)))
struct MultipartTaskTests {
    let rig = SessionRig()
    let directory: TemporaryDirectory
    let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(sampleBytes(5000), to: "photo.png")
    }

    var handler: @Sendable (Response<any Sendable>) -> Void {
        { [log = rig.log, responses = rig.responses] response in
            log.add("handler")
            responses.add(response)
        }
    }

    func construct(_ form: inout MultipartFormData) throws {
        try form.appendPart(fileURL: file, name: "photo")
        try form.appendPart(length: 3, name: "raw", fileName: "raw") {
            InputStream(data: Data("abc".utf8))
        }
    }

    @discardableResult
    func post() -> UploadTask {
        rig.manager.post(
            "a", parameters: ["b": 1], constructingBody: construct, completionHandler: handler)
    }

    /// Returns what is wrong with an exchange's body, or nil.
    func fault(in exchange: ManualTransfer) -> String? {
        guard let type = exchange.value(of: "Content-Type"),
            let boundary = type.split(separator: "; boundary=").last,
            let bytes = exchange.readBody()
        else { return "no form" }
        guard exchange.exchange.body?.length == Int64(bytes.count) else { return "length" }
        guard bytes.starts(with: "--\(boundary)\r\n".utf8) else { return "start" }
        let content = Data("image/png\r\n\r\n".utf8 + sampleBytes(5000) + "\r\n--".utf8)
        guard Data(bytes).range(of: content) != nil else { return "file" }
        let end = "\r\n\r\nabc\r\n--\(boundary)--\r\n"
        return Data(bytes).suffix(end.utf8.count) == Data(end.utf8) ? nil : "end"
    }

    @Test(
        "post, put and patch send the parameters and then the parts, and return an upload task")
    func verbs() async throws {
        let serializer = HTTPResponseSerializer()
        let manager = rig.manager
        let heard = Recorder<Response<Data>>()
        let tasks = [
            manager.post("a", constructingBody: construct, completionHandler: handler),
            manager.put("a", constructingBody: construct, completionHandler: handler),
            manager.patch("a", constructingBody: construct, completionHandler: handler),
            manager.post("a", serializer: serializer, constructingBody: construct) {
                heard.add($0)
            },
            manager.put("a", serializer: serializer, constructingBody: construct) { heard.add($0) },
            manager.patch("a", serializer: serializer, constructingBody: construct) {
                heard.add($0)
            },
        ]
        #expect(tasks.allSatisfy { $0.state == .running })
        for number in 0..<6 {
            let exchange = await rig.stub.exchange(number)
            #expect(exchange.exchange.method == ["POST", "PUT", "PATCH"][number % 3])
            #expect(fault(in: exchange) == nil)
            exchange.reply()
        }
        #expect(await rig.responses.wait(for: 3).allSatisfy { $0.error == nil })
        #expect(await heard.wait(for: 3).allSatisfy { $0.value == Data(#"{"a":1}"#.utf8) })
    }

    @Test("the async forms decode the response and report progress")
    func asyncForms() async throws {
        struct Answer: Decodable { let a: Int }
        let rig = SessionRig(answer: { exchange in
            exchange.sent(exchange.exchange.body?.length ?? 0)
            exchange.reply()
        })
        let progress = Recorder<Int64>()
        let form = try MultipartFormData { try construct(&$0) }
        let post = try await rig.manager.upload(
            .form(form, parameters: ["b": 1]), to: "a", as: Answer.self,
            options: .uploadProgress { progress.add($0.completedUnitCount) })
        let put: Answer = try await rig.manager.upload(.form(form), to: "a", method: .put)
        let patch: Answer = try await rig.manager.upload(.form(form), to: "a", method: .patch)
        let values: [Int] = [post.a, put.a, patch.a]
        #expect(values == [1, 1, 1])
        let exchanges = rig.stub.exchanges
        #expect(exchanges.map(\.exchange.method) == ["POST", "PUT", "PATCH"])
        #expect(exchanges.allSatisfy { fault(in: $0) == nil })
        #expect(await progress.wait(for: 1).last == exchanges[0].exchange.body?.length)
    }

    @Test("a serializer's request can be sent by every kind of task, and again")
    func anyWay() async throws {
        let request = try formRequest { try construct(&$0) }
        let response = Task { [manager = rig.manager] in try? await manager.data(for: request) }
        let first = await rig.stub.exchange()
        #expect(fault(in: first) == nil)
        first.redirect(307, to: "/b")
        let second = await rig.stub.exchange(1)
        #expect(fault(in: second) == nil)
        second.reply()
        #expect(await response.value?.isEmpty == false)
        rig.manager.dataTask(with: request, completionHandler: handler).resume()
        #expect(await fault(in: rig.stub.exchange(2)) == nil)
        await rig.stub.exchange(2).reply()
        await rig.responses.wait(for: 1)
    }

    @Test(
        "307 and 308 send the form again with the same boundary, and 303 drops it",
        arguments: [307, 308, 303])
    func redirected(status: Int) async throws {
        post()
        let first = await rig.stub.exchange()
        #expect(fault(in: first) == nil)
        first.redirect(status, to: "/b")
        let second = await rig.stub.exchange(1)
        if status == 303 {
            #expect(second.exchange.body == nil && second.value(of: "Content-Type") == nil)
        } else {
            #expect(fault(in: second) == nil)
            #expect(second.value(of: "Content-Type") == first.value(of: "Content-Type"))
        }
        second.reply()
        await rig.expectOneCompletion()
    }

    @Test("an authentication challenge sends the form again")
    func challenged() async throws {
        rig.manager.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "u", password: "p", persistence: .none))
        }
        post()
        let first = await rig.stub.exchange()
        #expect(fault(in: first) == nil)
        first.challenge("Basic realm=\"r\"")
        let second = await rig.stub.exchange(1)
        #expect(second.value(of: "Authorization")?.hasPrefix("Basic ") == true)
        #expect(fault(in: second) == nil)
        second.reply()
        await rig.expectOneCompletion()
    }

    @Test("the caller's headers replace the serializer's, but never the form's type")
    func headers() async throws {
        rig.manager.post(
            "a", headers: ["X-A": "mine", "content-type": "multipart/form-data"],
            constructingBody: construct, completionHandler: handler)
        let exchange = await rig.stub.exchange()
        #expect(fault(in: exchange) == nil)
        #expect(exchange.value(of: "X-A") == "mine")
        exchange.reply()
        await rig.expectOneCompletion()
    }

    @Test("a part that cannot be appended fails the task without sending")
    func notAppended() async throws {
        rig.manager.post(
            "a",
            constructingBody: { try $0.appendPart(fileURL: directory.file("none"), name: "photo") },
            completionHandler: handler)
        let error = try #require(await rig.response.error)
        guard case .invalidRequest(let text, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(text.contains("part 1 \"photo\""))
        #expect((context.underlying as? MultipartFailure)?.partName == "photo")
        #expect(rig.stub.exchanges.isEmpty)
        await rig.expectOneCompletion()
    }

    @Test(
        "a file that changed before the task starts fails it without sending",
        arguments: [true, false])
    func changedBefore(isUpload: Bool) async throws {
        let request = try formRequest { try construct(&$0) }
        try FileManager.default.removeItem(at: file)
        let task: DataTask =
            isUpload
            ? rig.manager.makeTask(
                .made(.success(request)),
                Responder(
                    serializer: ManagerResponseSerializer(base: rig.manager.responseSerializer),
                    receiver: .handler(handler, on: rig.queue)),
                isJudged: false, options: nil,
                upload: Result.success(request).form) as UploadTask
            : rig.manager.dataTask(with: request, completionHandler: handler)
        task.resume()
        try await expectPartFailure("photo")
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test("a file that changes during the transfer fails the task with the part's name")
    func changedDuring() async throws {
        post()
        let exchange = await rig.stub.exchange()
        #expect(truncate(file.path, 10) == 0)
        #expect(exchange.readBody() == nil)
        try await expectPartFailure("photo")
    }

    @Test("a stream that is shorter than announced fails the task with the part's name")
    func shortStream() async throws {
        rig.manager.put(
            "a",
            constructingBody: { form in
                try form.appendPart(length: 4, name: "raw", fileName: "raw") {
                    InputStream(data: Data("abc".utf8))
                }
            }, completionHandler: handler)
        #expect(await rig.stub.exchange().readBody() == nil)
        try await expectPartFailure("raw")
    }

    private func expectPartFailure(_ name: String) async throws {
        let error = try #require(await rig.response.error)
        guard case .requestBody(let text, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(text.contains("\"\(name)\""))
        #expect((context.underlying as? MultipartFailure)?.partName == name)
        #expect(context.request?.url != nil)
        await rig.expectOneCompletion()
    }

    @Test("the throttle is passed to the transport with each body")
    func throttle() async throws {
        rig.manager.post(
            "a",
            constructingBody: { form in
                try construct(&form)
                form.throttleBandwidth(packetSize: 0, delay: .milliseconds(200))
            }, completionHandler: handler)
        await rig.stub.exchange().redirect(307, to: "/b")
        for number in 0..<2 {
            guard case .stream(let stream) = await rig.stub.exchange(number).exchange.body else {
                Issue.record("no stream")
                return
            }
            #expect(stream.throttle?.packetSize == 1)
            #expect(stream.throttle?.delay == .milliseconds(200))
        }
        await rig.stub.exchange(1).reply()
        await rig.expectOneCompletion()
        var form = MultipartFormData()
        // Not every duration can be added to a clock's time.
        form.throttleBandwidth(packetSize: 5, delay: .seconds(Int64.max))
        #expect(form.throttle?.delay == .seconds(86_400))
        form.throttleBandwidth(packetSize: 5, delay: .zero)
        #expect(form.throttle == nil)
    }
}
