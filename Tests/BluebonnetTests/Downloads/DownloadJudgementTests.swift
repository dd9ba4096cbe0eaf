import BluebonnetTesting
import BluebonnetTransport
import Foundation
import Testing

import Bluebonnet

@Suite("Which responses are downloaded", .timeLimit(.minutes(5)))
struct DownloadJudgementTests {
    let rig: StubDownloadRig

    init() throws {
        rig = try StubDownloadRig()
    }

    @Test(
        "a status code that no member of a compound serializer accepts leaves no file",
        arguments: [(404, "text/html"), (404, "application/json"), (503, "a/b")]
    )
    func compound(status: Int, type: String) async throws {
        rig.manager.responseSerializer = .compound([.json, .propertyList])
        rig.stub.on("/file", .text("sorry", type: type, status: status))
        try rig.task().resume()
        let error = try #require(await rig.response.error)
        guard case .unacceptableStatus(status, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.underlying == nil && context.data == Data("sorry".utf8))
        #expect(try rig.directory.names.isEmpty)
    }

    @Test(
        "a file can have any type, even if members of a compound serializer have types")
    func compoundTypes() async throws {
        var plists = PropertyListResponseSerializer()
        plists.acceptableStatusCodes = [404]
        rig.manager.responseSerializer = .compound([plists, .compound([.json])])
        rig.stub.on("/file", .text("image", type: "image/png"))
        try rig.task().resume()
        #expect(await rig.response.error == nil)
        #expect(try rig.directory.names == ["result"])
    }

    @Test("an unacceptable status code is the error even if a serializer checks the type first")
    func typeFirst() async throws {
        let judge = TypeFirst()
        rig.manager.responseSerializer = judge
        rig.stub.on("/file", .status(404).header("Content-Type", "text/html"))
        try rig.task().resume()
        guard case .unacceptableStatus(404, _) = await rig.response.error else {
            Issue.record("\(await rig.response)")
            return
        }
        #expect(judge.acceptableContentTypes == ["application/json"])
    }

    @Test("the call's own serializer can refuse a content type, which leaves no file")
    func acceptableTypes() async throws {
        let papers = HTTPResponseSerializer(acceptableContentTypes: ["application/pdf"])
        let stub = rig.stub
        let file = rig.directory.file("result")
        for (type, isAccepted) in [("application/pdf", true), ("text/html", false)] {
            let responded = rig.responses.count
            let route = stub.on("/file", .text("body", type: type))
            rig.manager.downloadTask(
                with: try rig.request(), validatedBy: papers, destination: { _ in file },
                options: .removePreviousFile, completionHandler: rig.handler
            ).resume()
            rig.manager.download(
                "file", validatedBy: papers, to: file, options: .file(.removePreviousFile)
            ) { [responses = rig.responses] in responses.add($0) }
            let request = try rig.request()
            async let awaited = rig.manager.download(
                for: request, validatedBy: papers, destination: { _ in file },
                options: .removePreviousFile
            ).error
            let errors = await rig.responses.wait(for: responded + 2).suffix(2).map(\.error)
            let all = errors + [await awaited]
            #expect(route.requests.count == 3)
            stub.remove(route)
            for error in all {
                guard !isAccepted else {
                    #expect(error == nil, "\(type): \(error as Any)")
                    continue
                }
                guard case .unacceptableContentType("text/html", _, let context)? = error else {
                    Issue.record("\(error as Any)")
                    continue
                }
                #expect(context.data == Data("body".utf8))
            }
            if isAccepted { try FileManager.default.removeItem(at: file) }
        }
        #expect(try rig.directory.names.isEmpty)
    }

    @Test("an empty body of unknown length has no content type to refuse and becomes a file")
    func emptyFile() async throws {
        let papers = HTTPResponseSerializer(acceptableContentTypes: ["application/pdf"])
        // An empty body of unknown length.
        rig.stub.on(
            "/file",
            .text("", type: "text/html").header("Transfer-Encoding", "chunked"))
        rig.manager.downloadTask(
            with: try rig.request(), validatedBy: papers, destination: rig.destination,
            completionHandler: rig.handler
        ).resume()
        #expect(await rig.response.value == rig.directory.file("result"))
        #expect(try rig.directory.file("result").bytes.isEmpty)
    }

    @Test("the manager's serializer checks the content type of a download on request")
    func managersTypes() async throws {
        rig.manager.responseSerializer = .json
        rig.stub.on("/file", .text("body", type: "text/html"))
        rig.manager.downloadTask(
            with: try rig.request(), validatedBy: .manager, destination: rig.destination,
            completionHandler: rig.handler
        ).resume()
        guard case .unacceptableContentType? = await rig.response.error else {
            Issue.record("\(await rig.response)")
            return
        }
    }

    @Test("a serializer's own validation of the head also applies to downloads")
    func ownJudgement() async throws {
        rig.manager.responseSerializer = Suspicious()
        rig.stub.on("/file", StubResponse.good.header("X-Trap", "1"))
        try rig.task().resume()
        #expect(await rig.response.error != nil)
        #expect(try rig.directory.names.isEmpty)
    }
}

/// Refuses responses with the X-Trap field.
private struct Suspicious: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>?
    var acceptableContentTypes: Set<String>?

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        if head.value(of: "X-Trap") != nil { throw .unreadableBody("a trap", .init(head: head)) }
    }

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data { data }
}

/// Checks the content type before the status code.
///
/// A class, so that its users share it.
private final class TypeFirst: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>? {
        get { [200] }
        set {}
    }
    private let types = Locked<Set<String>?>(["application/json"])
    var acceptableContentTypes: Set<String>? {
        get { types.withLock { $0 } }
        set { types.withLock { $0 = newValue } }
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        guard let type = head.mimeType, acceptableContentTypes?.contains(type) != false else {
            throw .unacceptableContentType(
                head.mimeType, acceptable: acceptableContentTypes ?? [], .init(head: head))
        }
    }

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data { data }
}
