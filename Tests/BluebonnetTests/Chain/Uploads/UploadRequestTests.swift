import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Uploads of the chain", .timeLimit(.minutes(1)))
struct UploadRequestTests {
    private let rig = StubRig()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the error of a request after its end.
    private func error(_ request: UploadRequest) async -> AFError? {
        let responses = Recorder<AFDataResponse<Data?>>()
        request.response { responses.add($0) }
        return await responses.wait(for: 1)[0].error
    }

    private func file(_ name: String, _ text: String) throws -> URL {
        let file = directory.file(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    @Test("data, files and streams are uploaded, with POST by default")
    func bodies() async throws {
        rig.answer((0..<5).map { _ in StubResponse.good })
        let manager = rig.manager
        #expect(await error(manager.upload(Data("a".utf8), to: "a")) == nil)
        let file = try file("f", "file")
        #expect(
            await error(manager.upload(file, to: "a", method: .put, headers: ["X-A": "1"])) == nil)
        let stream: BodyStreamFactory = { InputStream(data: Data("stream".utf8)) }
        #expect(
            await error(manager.upload(stream, to: "a", headers: ["Content-Length": "6"])) == nil)
        let request = try URLRequest(url: "b", method: .patch)
        #expect(await error(manager.upload(Data("c".utf8), with: request)) == nil)
        #expect(await error(manager.upload(file, with: request)) == nil)
        #expect(rig.stub.requests.map(\.text) == ["a", "file", "stream", "c", "file"])
        #expect(rig.stub.requests.map(\.method) == [.post, .put, .post, .patch, .patch])
        #expect(rig.stub.requests[1].headers["X-A"] == "1")
    }

    @Test("a retry sends the body again, except a stream that can be read only once")
    @available(*, deprecated)
    func retried() async throws {
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        rig.answer(.init(503), .good, .init(503))
        let stream: BodyStreamFactory = { InputStream(data: Data("stream".utf8)) }
        let request = rig.manager.upload(stream, to: "a", interceptor: retrier)
        #expect(await error(request.validate()) == nil)
        #expect(rig.stub.requests.map(\.text) == ["stream", "stream"])
        let once = rig.manager.upload(
            InputStream(data: Data("once".utf8)), to: "a", interceptor: retrier)
        #expect(await error(once.validate())?.responseCode == 503)
        #expect(rig.stub.requests.last?.text == "once")
    }

    @Test("an unreadable file fails the request before anything is sent")
    func missingFile() async {
        let error = await error(rig.manager.upload(directory.file("none"), to: "a"))
        #expect(error?.isCreateUploadableError == true && error?.isDownloadedFileMoveError == false)
        #expect(error?.sourceURL?.lastPathComponent == "none" && rig.stub.requests.isEmpty)
    }

    @Test("a form is sent with its own content type, whatever the headers contain")
    func form() async throws {
        rig.answer(.good, .good)
        let photo = try file("p.png", "png")
        let request = rig.manager.upload(
            multipartFormData: { form in
                form.append(Data("1".utf8), withName: "a")
                form.append(Data("2".utf8), withName: "b", fileName: "b.txt", mimeType: "text/x")
                form.append(Data("3".utf8), withName: "c", fileName: "c.txt")
                form.append(photo, withName: "d")
                form.append(photo, withName: "e", fileName: "e.jpg", mimeType: "image/jpeg")
            }, to: "a", usingThreshold: 1, headers: ["Content-Type": "wrong/type"])
        #expect(await error(request) == nil)
        let sent = rig.stub.requests[0]
        let type = try #require(sent.headers["Content-Type"])
        let boundary = try #require(type.split(separator: "=").last)
        let disposition = "Content-Disposition: form-data; name="
        let parts = [
            "\(disposition)\"a\"\r\n\r\n1",
            "\(disposition)\"b\"; filename=\"b.txt\"\r\nContent-Type: text/x\r\n\r\n2",
            "\(disposition)\"c\"; filename=\"c.txt\"\r\n\r\n3",
            "\(disposition)\"d\"; filename=\"p.png\"\r\nContent-Type: image/png\r\n\r\npng",
            "\(disposition)\"e\"; filename=\"e.jpg\"\r\nContent-Type: image/jpeg\r\n\r\npng",
        ]
        let body = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n"
        #expect(sent.text == body && type.hasPrefix("multipart/form-data; boundary="))
        var form = MultipartFormData()
        form.append(Data("1".utf8), withName: "a")
        let router = try URLRequest(url: "c", method: .put)
        #expect(await error(rig.manager.upload(multipartFormData: form, with: router)) == nil)
        #expect(rig.stub.requests[1].method == .put)
    }

    @Test("a form is encoded once for all attempts, with one boundary")
    func formRetried() async {
        rig.answer(.init(503), .good)
        let request = rig.manager.upload(
            multipartFormData: { $0.append(Data("1".utf8), withName: "a") }, to: "a",
            interceptor: Retrier { _, _, _, completion in completion(.retry) })
        #expect(await error(request.validate()) == nil)
        #expect(rig.stub.requests.count == 2)
        #expect(rig.stub.requests[0].body == rig.stub.requests[1].body)
    }

    @Test("the first part that cannot be appended fails the upload")
    func badParts() async throws {
        let bare = try file("bare", "x")
        let request = rig.manager.upload(
            multipartFormData: { form in
                form.append(bare, withName: "a")
                form.append(directory.file("none.txt"), withName: "b")
            }, to: "a")
        let error = await error(request)
        #expect(error?.isMultipartEncodingError == true && rig.stub.requests.isEmpty)
        let failure = try #require(error?.underlyingError as? MultipartFailure)
        #expect(failure.reason == .fileName("bare") && failure.partNumber == 1)
        #expect(error?.description.contains("[POST http://stub.test/a]") == true)
        let type = rig.manager.upload(
            multipartFormData: {
                $0.append(Data(), withName: "a", fileName: "b", mimeType: "x\r\ny")
            }, to: "a")
        #expect(await self.error(type)?.isMultipartEncodingError == true)
    }

    @Test("a missing file without an extension is reported as missing")
    func missingFileOfForm() async {
        let request = rig.manager.upload(
            multipartFormData: { $0.append(directory.file("none"), withName: "a") }, to: "a")
        let failure = await error(request)?.underlyingError as? MultipartFailure
        guard case .file(let fault)? = failure?.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(fault.path.hasSuffix("/none"))
    }

    @Test("quotes and line breaks in names are escaped")
    func injection() throws {
        var form = MultipartFormData()
        form.append(Data(), withName: "a\"\r\nX: y", fileName: "b\"\n")
        let text = String(decoding: try form.encode(), as: UTF8.self)
        #expect(text.contains("name=\"a%22%0D%0AX: y\"; filename=\"b%22%0A\"\r\n"))
    }

    @Test("a form, even of streams, has a content type, a length and encoded data")
    @available(*, deprecated)
    func encoded() throws {
        var form = MultipartFormData()
        form.append(Data("12".utf8), withName: "a")
        form.append(
            InputStream(data: Data("345".utf8)), withLength: 3, name: "b", fileName: "b.txt",
            mimeType: "text/plain")
        form.append(
            InputStream(data: Data("6".utf8)), withLength: 1,
            headers: ["Content-Disposition": "form-data; name=\"c\""])
        #expect(form.contentLength == 6)
        let boundary = try #require(form.contentType.split(separator: "=").last)
        let text = String(decoding: try form.encode(), as: UTF8.self)
        #expect(text.hasPrefix("--\(boundary)\r\n") && text.hasSuffix("--\(boundary)--\r\n"))
        #expect(text.contains("\r\n\r\n345\r\n") && text.contains("\r\n\r\n6\r\n"))
        // The streams have been read.
        #expect(throws: (any Error).self) { try form.encode() }
        var plain = MultipartFormData()
        plain.append(Data("12".utf8), withName: "a")
        let file = directory.file("form")
        try plain.writeEncodedData(to: file)
        let written = try Data(contentsOf: file)
        let whole = try plain.encode()
        #expect(written == whole)
        #expect(throws: FileFailure.self) { try plain.writeEncodedData(to: file) }
    }
}
