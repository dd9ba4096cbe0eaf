import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Uploads, downloads and streams by path", .timeLimit(.minutes(5)))
struct PathTransferTests {
    private let rig = SessionRig(answer: { $0.reply() })

    init() {
        rig.manager.requestSerializer.setAuthorization(bearerToken: "t")
    }

    @Test("each adds the request serializer's fields, such as a bearer token")
    func authorization() async throws {
        let manager = rig.manager, directory = try TemporaryDirectory()
        try await manager.download("a", parameters: ["v": 2], to: directory.file("1"))
        for try await _ in try await manager.stream("a", parameters: ["v": 2]) {}
        try await manager.upload(.data(Data("x".utf8)), to: "a")
        try await manager.head("a", parameters: ["v": 2], headers: ["X-Own": "1"])
        let exchanges = rig.stub.exchanges
        #expect(
            exchanges.map { $0.value(of: "Authorization") }
                == Array(repeating: "Bearer t", count: 4))
        #expect(exchanges.map(\.exchange.method) == ["GET", "GET", "POST", "HEAD"])
        let url = "http://stub.test/a"
        #expect(exchanges.map(\.exchange.url) == ["\(url)?v=2", "\(url)?v=2", url, "\(url)?v=2"])
        #expect(exchanges[3].value(of: "X-Own") == "1")
    }

    @Test("an upload has its own body, and the caller's content type")
    func uploads() async throws {
        let manager = rig.manager, directory = try TemporaryDirectory()
        try Data("from a file".utf8).write(to: directory.file("f"))
        try await manager.upload(
            .file(directory.file("f")), to: "a", method: .put, headers: ["Content-Type": "text/x"])
        try await manager.upload(.data(Data("bytes".utf8)), to: "a")
        try await manager.upload(
            .stream(length: 6) { InputStream(data: Data("stream".utf8)) }, to: "a", method: .patch)
        manager.requestSerializer.headers["Content-Type"] = "text/y"
        try await manager.upload(.data(Data()), to: "a")
        let exchanges = rig.stub.exchanges
        #expect(exchanges.map(\.bodyText) == ["from a file", "bytes", "stream", ""])
        #expect(exchanges.map { $0.value(of: "Content-Type") } == ["text/x", nil, nil, "text/y"])
        #expect(exchanges.map(\.exchange.method) == ["PUT", "POST", "PATCH", "POST"])
    }

    @Test("a form is an upload's body, with the parameters first")
    func forms() async throws {
        let form = MultipartFormData { $0.appendPart(formData: Data("v".utf8), name: "k") }
        try await rig.manager.upload(.form(form, parameters: ["a": 1]), to: "a", method: .put)
        let exchange = await rig.stub.exchange()
        let text = try #require(exchange.bodyText)
        let names = text.split(separator: "name=\"").dropFirst().map { $0.prefix(1) }
        #expect(names == ["a", "k"] && exchange.exchange.method == "PUT")
        let type = exchange.value(of: "Content-Type")
        #expect(type?.hasPrefix("multipart/form-data; boundary=") == true)
        let failed = await rig.manager.response(.get, "a")
        #expect(failed.error == nil)
        await #expect(throws: BluebonnetError.self) {
            try await rig.manager.upload(.form(form), to: "a", method: .get)
        }
    }

    @Test("every form of an upload delivers, by a handler or by await")
    func uploadForms() async throws {
        let manager = rig.manager, body = RequestBody.data(Data("x".utf8))
        let values = Recorder<Int?>()
        manager.upload(body, to: "a") { values.add(($0.value as? [String: Int])?["a"]) }
        manager.upload(body, to: "a", serializer: .json) {
            values.add(($0.object as? [String: Int])?["a"])
        }
        manager.upload(body, to: "a", as: [String: Int].self) { values.add($0.value?["a"]) }
        let decoded: [String: Int] = try await manager.upload(body, to: "a")
        #expect(decoded == ["a": 1])
        #expect(try await manager.upload(body, to: "a") == Data(#"{"a":1}"#.utf8))
        #expect(await values.wait(for: 3) == [1, 1, 1])
    }

    @Test("a download resumes an earlier one, with the manager's token")
    func resumed() async throws {
        let rig = try DownloadRig()
        rig.manager.requestSerializer.setAuthorization(bearerToken: "t")
        let counts = Recorder<Int64>()
        let first = rig.manager.download(
            "file", to: rig.directory.file("result"),
            options: .downloadProgress { counts.add($0.completedUnitCount) }
        ) { _ in }
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["ETag": #""v1""#, "Content-Length": "6"], ["abc"])
        await counts.wait(for: 1)
        let data: Data? = await withCheckedContinuation { continuation in
            first.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        #expect(data != nil)
        let responses = rig.responses
        rig.manager.download("file", resumingWith: data, to: rig.directory.file("result")) {
            responses.add($0)
        }
        let resumed = await rig.stub.exchange(1)
        #expect(resumed.value(of: "Range") == "bytes=3-")
        #expect(resumed.value(of: "Authorization") == "Bearer t")
        resumed.reply(206, ["ETag": #""v1""#, "Content-Range": "bytes 3-5/6"], "def")
        let file = try #require(await responses.wait(for: 1)[0].value)
        #expect(try Data(contentsOf: file) == Data("abcdef".utf8))
    }

    @Test("a download by path has a destination closure and file options")
    func destinations() async throws {
        let directory = try TemporaryDirectory()
        let deep = directory.file("x/y/z")
        try await rig.manager.download(
            "a", to: deep, options: .file(.createIntermediateDirectories))
        #expect(FileManager.default.fileExists(atPath: deep.path))
        await #expect(throws: BluebonnetError.self) {
            try await rig.manager.download("a", to: deep)
        }
        let texts = Recorder<String?>()
        rig.manager.download("a", destination: { _ in nil }) { response in
            texts.add(response.value.flatMap { try? String(contentsOf: $0, encoding: .utf8) })
        }
        #expect(await texts.wait(for: 1) == [#"{"a":1}"#])
    }

    @Test("data of any type is accepted, and the manager's serializer checks the head")
    func dataForms() async throws {
        let rig = SessionRig(answer: { exchange in
            exchange.reply(
                exchange.exchange.url.hasSuffix("/no") ? 418 : 200, ["Content-Type": "a/b"], "x")
        })
        #expect(try await rig.manager.get("yes") == Data("x".utf8))
        await #expect(throws: BluebonnetError.self) { try await rig.manager.get("no") }
        await #expect(throws: BluebonnetError.self) { try await rig.manager.head("no") }
        rig.manager.responseSerializer.acceptableStatusCodes?.insert(418)
        #expect(try await rig.manager.delete("no") == Data("x".utf8))
        #expect(try await rig.manager.head("no").statusCode == 418)
    }

    @Test("a response to HEAD has no object, and neither has its notification")
    func headObject() async {
        let heard = Recorder<Bool>()
        rig.manager.head("a") { heard.add($0.object == nil && $0.error == nil) }
        #expect(await heard.wait(for: 1) == [true])
        #expect(
            await rig.completed.wait(for: 1)[0].keys.contains {
                $0.hasSuffix("serializedResponse")
            } == false)
    }

    @Test("a data task that becomes a download uses the call's file options")
    func becomesDownload() async throws {
        let directory = try TemporaryDirectory()
        let place = directory.file("x/y")
        rig.manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        rig.manager.downloadTaskDidFinishDownloading = { _, _ in place }
        let response = await rig.manager.response(
            .get, "a", options: .file(.createIntermediateDirectories))
        #expect(response.error == nil && FileManager.default.fileExists(atPath: place.path))
    }

    @Test("a data task that became a download keeps its partial file on a cancel, if it is to")
    func keepsPartialFile() async throws {
        let stub = ManualTransport()
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: stub)
        manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        let responses = Recorder<Response<Data>>()
        let task = manager.dataTask(
            method: .get, path: "a", serializer: HTTPResponseSerializer(),
            options: .file(.keepsPartialFile)
        ) { responses.add($0) }
        task.resume()
        let exchange = await stub.exchange()
        exchange.respond(200, ["ETag": #""v1""#, "Content-Length": "10"])
        exchange.send([1, 2, 3])
        #expect(await until { task.progress.completedUnitCount == 3 })
        task.cancel()
        let data = try #require(await responses.wait(for: 1).first?.error?.resumeData)
        try DownloadTask.discard(resumeData: data)
    }
}
