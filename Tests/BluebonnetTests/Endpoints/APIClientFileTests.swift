import BluebonnetChain
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Files, streams and pages of a client", .timeLimit(.minutes(1)))
struct APIClientFileTests {
    private let stub = StubTransport()
    private let base: URL

    init() throws {
        base = try #require(URL(string: "http://stub.test/v1"))
    }

    private func client() -> APIClient {
        .stubbed(by: stub, baseURL: base)
    }

    // MARK: Downloads and uploads

    private struct GetArchive: APIDownload {
        var path = "/archive"
        var query = ["part": 1]
        let file: URL
        var options: RequestOptions { .file(.removePreviousFile) }
        var destination: @Sendable (ResponseHead) -> URL { { [file] _ in file } }
    }

    @Test("a download replaces the file at its destination, and reports progress")
    func download() async throws {
        let directory = try TemporaryDirectory()
        stub.on(
            .get, "/v1/archive", query: ["part": "1"],
            .data(Data("zip".utf8), type: "application/zip"))
        _ = try directory.write(Array("former".utf8), to: "a")
        let progress = Recorder<Double>()
        let response = await client().sendResponse(GetArchive(file: directory.file("a"))) {
            progress.add($0.fractionCompleted)
        }
        #expect(try response.result.get() == directory.file("a") && response.data == nil)
        #expect(try directory.file("a").bytes == Array("zip".utf8))
        #expect(await until { progress.all.last == 1 })
    }

    @Test("a refused download leaves no file")
    func refusedDownload() async throws {
        let directory = try TemporaryDirectory()
        stub.on("/v1/archive", .status(404))
        let response = await client().sendResponse(GetArchive(file: directory.file("a")))
        guard case .unacceptableStatus(404, _)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(try directory.names.isEmpty)
    }

    private struct SetPicture: APIUpload {
        typealias Response = [String: Int]
        var path = "/picture"
        var query: [String: String]?
        var content: RequestBody
    }

    private struct SetFile: APIUpload {
        var path = "/picture"
        let file: URL
        var content: RequestBody {
            get throws {
                var form = MultipartFormData()
                try form.appendPart(fileURL: file, name: "a")
                return .form(form)
            }
        }
    }

    @Test("an upload sends a file, a form or data, with its query, by default with POST")
    func uploads() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Array("file".utf8), to: "p")
        stub.on(.post, "/v1/picture") { .json(["size": $0.body.count]) }
        let progress = Recorder<Double>()
        let client = client()
        let size = try await client.send(
            SetPicture(query: ["crop": "1"], content: .file(file))
        ) { progress.add($0.fractionCompleted) }
        #expect(size == ["size": 4])
        #expect(await until { progress.all.last == 1 })
        var form = MultipartFormData()
        form.appendPart(formData: Data("x".utf8), name: "a")
        _ = try await client.send(SetPicture(content: .form(form)))
        _ = try await client.send(SetPicture(content: .data(Data("bytes".utf8))))
        let requests = stub.requests
        #expect(requests[0].url.query == "crop=1" && requests[0].text == "file")
        #expect(requests[1].headers["Content-Type"]?.hasPrefix("multipart/form-data") == true)
        #expect(requests[1].text.contains("name=\"a\""))
        #expect(requests[2].text == "bytes" && requests[2].url.query == nil)
        let empty = await client.sendResponse(SetPicture(content: .form(MultipartFormData())))
        guard case .invalidRequest(let text, _)? = empty.error else {
            Issue.record("\(empty)")
            return
        }
        #expect(text.contains("no parts"))
        let refused = await client.sendResponse(SetFile(file: directory.file("none.txt")))
        // The chain's method keeps the error until the form is sent.
        var unreadable = MultipartFormData()
        unreadable.append(directory.file("none.txt"), withName: "a")
        let deferred = await client.sendResponse(SetPicture(content: .form(unreadable)))
        for error in [refused.error, deferred.error] {
            guard case .invalidRequest(let reason, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("none.txt"))
        }
        let gone = await client.sendResponse(SetPicture(content: .file(directory.file("none"))))
        #expect(gone.error != nil && stub.requests.count == 3)
    }

    // MARK: Streams

    private struct Watch: APIStream {
        typealias Element = [String: Int]
        var path = "/changes"
        var query: [String: Int]? = ["since": 1]
    }

    @Test("a stream is read value by value, and each loop sends a request")
    func stream() async throws {
        stub.on(
            .get, "/v1/changes", query: ["since": "1"],
            .text("{\"a\":1}\n{\"a\":2}\n").inPieces(of: 3))
        let stream = client().stream(Watch())
        #expect(stub.requests.isEmpty)
        for _ in 1...2 {
            var values: [Int?] = []
            for try await value in stream { values.append(value["a"]) }
            #expect(values == [1, 2])
        }
        #expect(stub.requests.count == 2)
    }

    @Test("a stream that breaks, is refused or has an invalid value fails its loop once")
    func failingStreams() async throws {
        stub.on(
            "/v1/changes", .text("{\"a\":1}\n{\"a\":2}\n").cut(after: 10), .status(500),
            .text("{\"a\":1}\nx\n{\"a\":2}\n"), .failure(.cannotConnectToHost))
        let client = client()
        var ends: [String] = []
        for _ in 0..<4 {
            var iterator = client.stream(Watch()).makeAsyncIterator()
            var count = 0
            do throws(BluebonnetError) {
                while try await iterator.next() != nil { count += 1 }
                ends.append("end")
            } catch {
                ends.append("\(count) \(error.stage)")
            }
            #expect(try await iterator.next() == nil)
        }
        #expect(
            ends == ["1 transport", "0 validation", "1 serialization", "0 transport"], "\(ends)")
    }

    @Test("values that arrive with a line that is too long are read before its error")
    func longLine() async throws {
        struct Short: APIStream {
            typealias Element = [String: Int]
            let path = "/changes"
            let framing = StreamFraming.jsonLines.limited(to: 20)
        }
        stub.on("/v1/changes", .text("{\"a\":1}\n{\"a\":2}\n" + String(repeating: "x", count: 30)))
        var iterator = client().stream(Short()).makeAsyncIterator()
        #expect(try await iterator.next() == ["a": 1])
        #expect(try await iterator.next() == ["a": 2])
        await #expect(throws: BluebonnetError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("a stream without a valid request fails, and nothing is sent")
    func streamWithoutRequest() async throws {
        var iterator = client().stream(Watch(path: "/../x"))
            .makeAsyncIterator()
        do throws(BluebonnetError) {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch {
            #expect("\(error.stage)" == "request", "\(error)")
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("a stream that would have to upload a file fails instead of sending nothing")
    func uploadingStream() async throws {
        struct Transcribe: APIUpload, APIStream {
            typealias Element = String
            let path = "/changes"
            let content = RequestBody.file(URL(filePath: "/none"))
        }
        do throws(BluebonnetError) {
            for try await _ in client().stream(Transcribe()) {}
            Issue.record("no error")
        } catch {
            #expect("\(error)".contains("a stream cannot upload a file or a form"), "\(error)")
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("leaving a loop over a stream cancels its task")
    func leftStream() async throws {
        stub.on("/v1/changes", .text("{\"a\":1}\n{\"a\":2}\n").stalled(after: 8))
        let client = client()
        for try await _ in client.stream(Watch()) { break }
        #expect(await until { client.session.tasks.isEmpty })
    }

    // MARK: Pages

    private struct List: APIRequest {
        typealias Response = [Int]
        var path = "/list"
        var headers: HTTPHeaders = ["X-List": "1"]
        var query = ["size": 2]
    }

    private func page(_ values: [Int], _ link: String...) -> StubResponse {
        link.reduce(StubResponse.json(values)) { $0.header("Link", $1) }
    }

    @Test("pages are requested as the loop needs them, with the fields of the first")
    func pages() async throws {
        stub.on(
            .get, "/v1/list", query: ["size": "2"], page([1, 2], "</v1/list?page=2>; rel=next"))
        stub.on(
            .get, "/v1/list", query: ["page": "2"],
            page([3], "<http://stub.test/v1/list?page=1>; rel=prev", "<?page=3>; rel=\"next last\"")
        )
        stub.on(.get, "/v1/list", query: ["page": "3"], page([], "</v1/list?page=2>; rel=prev"))
        let pages = client().pages(List())
        var iterator = pages.makeAsyncIterator()
        #expect(stub.requests.isEmpty)
        #expect(try await iterator.next() == [1, 2] && stub.requests.count == 1)
        #expect(try await iterator.next() == [3])
        #expect(try await iterator.next() == [] && stub.requests.count == 3)
        #expect(try await iterator.next() == nil && stub.requests.count == 3)
        #expect(stub.requests.allSatisfy { $0.headers["X-List"] == "1" })
        #expect(stub.requests[1].url.query == "page=2")
        var all: [Int] = []
        for try await page in pages { all += page }
        #expect(all == [1, 2, 3] && stub.requests.count == 6)
    }

    @Test(
        "a link to another origin, or to a page already read, is not followed",
        arguments: [
            ("<https://stub.test/v1/list?page=2>", "is at another origin"),
            ("<http://stub.test:81/v1/list?page=2>", "is at another origin"),
            ("<//evil.test/v1/list?token=secret>", "is at another origin"),
            ("<data:,x>", "is at another origin"),
            ("</v1/list?size=2>", "has already been read"), ("<>", "has already been read"),
        ])
    func refusedLinks(link: String, reason: String) async throws {
        stub.on("/v1/list", page([1], "\(link); rel=next"))
        var iterator = client().pages(List()).makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        do throws(BluebonnetError) {
            _ = try await iterator.next()
            Issue.record("no error")
        } catch {
            #expect("\(error)".contains(reason) && !"\(error)".contains("secret"), "\(error)")
        }
        #expect(try await iterator.next() == nil && stub.requests.count == 1)
    }

    @Test("a page that fails ends the loop, and other relations can be followed")
    func failingPage() async throws {
        stub.on("/v1/list", page([1], "</v1/a>; rel=prev, </v1/b>; rel=next"))
        stub.on("/v1/a", .status(500))
        var iterator = client().pages(List(), following: "PREV").makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        await #expect(throws: BluebonnetError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}
