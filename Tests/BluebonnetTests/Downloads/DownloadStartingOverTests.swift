import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Downloads that start over", .timeLimit(.minutes(5)))
struct DownloadStartingOverTests {
    @Test("the task waits for the end of the new response even if the old one has ended")
    func endOfTheNewResponse() async throws {
        let directory = try TemporaryDirectory()
        let rig = SessionRig()
        let responses = Recorder<Response<URL>>()
        let asked = Recorder<Void>()
        let resumed = Recorder<Int64>()
        rig.manager.downloadTaskDidResume = {
            _ = ($0, $2); resumed.add($1)
        }
        let task = rig.manager.downloadTask(
            withResumeData: try resumeData(ofMissingFileIn: directory),
            destination: { _ in
                asked.add(())
                return directory.file("whole")
            },
            completionHandler: { responses.add($0) }
        )
        task.resume()
        let rest = ["ETag": #""v1""#, "Content-Range": "bytes 3-5/6"]
        await rig.stub.exchange(0).replyAtOnce(206, rest, "def")

        let second = await rig.stub.exchange(1)
        #expect(second.value(of: "Range") == nil)
        second.respond(200, ["Content-Length": "6"], ["abc"])
        // It is written, so the new file is open.
        await second.calls.wait(for: 1)
        second.send(["def"])
        second.end()
        let response = await responses.wait(for: 1)[0]
        #expect(response.error == nil)
        #expect(try response.value?.bytes == Array("abcdef".utf8))
        #expect(try directory.names == ["whole"])
        #expect(asked.count == 1 && resumed.count == 0)
    }

    @Test("only files of resume data can be discarded with it")
    func discarded() async throws {
        let directory = try TemporaryDirectory()
        let gone = try resumeData(ofMissingFileIn: directory)
        try DownloadTask.discard(resumeData: gone)
        do throws(ResumeDataError) {
            try DownloadTask.discard(resumeData: Data("{}".utf8))
            Issue.record("it was taken for resume data")
        } catch {
            #expect(error.description.contains("resume data"))
        }
        let rig = try DownloadRig()
        let data = try await rig.resumeData(after: Array(repeating: 7, count: 4000), of: 9000)
        #expect(try rig.directory.names.count == 1)
        try DownloadTask.discard(resumeData: data)
        #expect(await until { (try? rig.directory.names.isEmpty) == true })
    }

    private func resumeData(ofMissingFileIn directory: TemporaryDirectory) throws -> Data {
        let record: [String: Any] = [
            "bluebonnetResume": 1,
            "url": "http://stub.test/a",
            "method": "GET",
            "etag": #""v1""#,
            "offset": 3,
            "total": 6,
            "path": directory.file(".bluebonnet-gone").path,
            "check": "0000000000000000",
        ]
        return try JSONSerialization.data(withJSONObject: record)
    }
}
