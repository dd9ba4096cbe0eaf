import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Resume data")
struct ResumeRecordTests {
    @Test("written resume data is read back")
    func roundTrip() throws {
        for record in [sampleRecord(), sampleRecord(total: nil), try sampleDatedRecord()] {
            #expect(try ResumeRecord(data: record.data) == record)
        }
    }

    @Test("it is JSON with a version and without secrets")
    func form() throws {
        var request = URLRequest(url: URL(string: "https://joe:secret@example.com/a?b=c")!)
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        let record = try #require(
            ResumeRecord.make(from: sampleHead(), request: request, file: samplePartial())
        )
        let text = String(decoding: record.data, as: UTF8.self)
        #expect(
            text == #"{"bluebonnetResume":1,"check":"00000000000000ff","etag":"\"v1\"","#
                + #""method":"GET","offset":5,"path":"/tmp/.bluebonnet-x","total":10,"#
                + #""url":"https://example.com/a?b=c"}"#
        )
    }

    @Test(
        "a response that cannot be resumed has none",
        arguments: [
            ["ETag": #"W/"v1""#], ["ETag": "v1"], ["ETag": #""v"1""#], ["ETag": #""é""#],
            ["ETag": ""], ["Content-Encoding": "gzip"], ["Accept-Ranges": "none"],
            ["Content-Length": "4"],
        ] as [[String: String]]
    )
    func unresumable(changes: [String: String]) {
        let request = URLRequest(url: sampleURL)
        let head = sampleHead(changes: changes)
        #expect(ResumeRecord.make(from: head, request: request, file: samplePartial()) == nil)
        let usable = sampleHead(changes: ["Accept-Ranges": "bytes", "Content-Encoding": "identity"])
        #expect(ResumeRecord.make(from: usable, request: request, file: samplePartial()) != nil)
    }

    @Test("other status codes and methods, the caller's ranges and empty files have none")
    func otherRequests() {
        var request = URLRequest(url: sampleURL)
        for status in [201, 203, 301, 404, 416, 500] {
            let head = sampleHead(status)
            #expect(ResumeRecord.make(from: head, request: request, file: samplePartial()) == nil)
        }
        #expect(
            ResumeRecord.make(from: sampleHead(), request: request, file: samplePartial(0)) == nil
        )
        let posted = ResponseHead(
            statusCode: 200, headers: ["ETag": #""v1""#], url: sampleURL, requestMethod: "POST"
        )
        #expect(ResumeRecord.make(from: posted, request: request, file: samplePartial()) == nil)
        request.setValue("bytes=0-9", forHTTPHeaderField: "Range")
        #expect(
            ResumeRecord.make(from: sampleHead(), request: request, file: samplePartial()) == nil
        )
    }

    @Test("the total of a range is that of the whole file")
    func rangeTotal() throws {
        let head = sampleHead(
            206, changes: ["Content-Range": "bytes 3-9/10", "Content-Length": "7"]
        )
        let request = URLRequest(url: sampleURL)
        let record = ResumeRecord.make(from: head, request: request, file: samplePartial(8))
        #expect(record?.total == 10)
        let unclear = sampleHead(206, changes: ["Content-Range": "bytes */10"])
        #expect(ResumeRecord.make(from: unclear, request: request, file: samplePartial()) == nil)
    }

    @Test(
        "a modification date counts only if it is well before the Date (RFC 9110 section 8.8.2.2)",
        arguments: [
            ("Sun, 06 Nov 1994 08:50:37 GMT", true), ("Sun, 06 Nov 1994 08:50:36 GMT", false),
            ("Sun, 06 Nov 1994 08:49:36 GMT", false), (nil, false), ("yesterday", false),
        ] as [(String?, Bool)]
    )
    func modificationDate(date: String?, isStrong: Bool) {
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        var headers: HTTPHeaders = ["Last-Modified": modified, "ETag": #"W/"v1""#]
        headers["Date"] = date
        #expect(ResumeValidator(headers) == (isStrong ? .lastModified(modified) : nil))
        headers["ETag"] = #""v1""#
        #expect(ResumeValidator(headers) == .entityTag(#""v1""#))
        headers.add("ETag", #""v2""#)
        #expect(ResumeValidator(headers) == (isStrong ? .lastModified(modified) : nil))
    }

    @Test("the request asks for the rest of an unchanged file, without a coding")
    func request() throws {
        var request = URLRequest(url: sampleURL)
        request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        sampleRecord().apply(to: &request)
        #expect(request.value(forHTTPHeaderField: "Range") == "bytes=5-")
        #expect(request.value(forHTTPHeaderField: "If-Range") == #""v1""#)
        #expect(request.value(forHTTPHeaderField: "Accept-Encoding") == "identity")
        try sampleDatedRecord().apply(to: &request)
        #expect(
            request.value(forHTTPHeaderField: "If-Range") == "Sun, 06 Nov 1994 08:49:37 GMT"
        )
    }

    @Test(
        "an invalid member is refused by name",
        arguments: [
            ("\"bluebonnetResume\":1", "\"bluebonnetResume\":2", "version is 2"),
            ("\"bluebonnetResume\":1", "\"other\":1", "not created by Bluebonnet"),
            ("\"bluebonnetResume\":1", "\"bluebonnetResume\":\"1\"", "not created by Bluebonnet"),
            ("GET", "POST", "method"), ("\"offset\":5", "\"offset\":-5", "offset"),
            ("\"offset\":5", "\"offset\":0", "offset"), ("\"offset\":5", "\"offset\":11", "total"),
            ("\"offset\":5", "\"offset\":5.5", "damaged"),
            ("\"offset\":5", "\"offset\":99999999999999999999", "damaged"),
            ("\"offset\":5,", "", "damaged"), ("\"total\":10", "\"total\":-1", "total"),
            ("/tmp/.bluebonnet-x", "tmp/.bluebonnet-x", "path"),
            ("/tmp/.bluebonnet-x", "/etc/passwd", "path"),
            ("/tmp/.bluebonnet-x", "/tmp/.bluebonnet-x/", "path"),
            ("/tmp/.bluebonnet-x", "/tmp/.bluebonnet-x/y", "path"),
            ("/tmp/.bluebonnet-x", "/tmp/../.bluebonnet-x", "path"),
            ("/tmp/.bluebonnet-x", "/tmp/.bluebonnet-x/..", "path"),
            ("/tmp/.bluebonnet-x", "/tmp/.bluebonnet-\\u0000", "path"),
            ("/tmp/.bluebonnet-x", "", "path"),
            ("https://", "ftp://", "URL"), ("https://", "https://a:b@", "URL"),
            ("https://", "file://", "URL"), ("https://example.com/a?b=c", "", "URL"),
            ("https://example.com/a?b=c", "https:///a", "URL"),
            ("\\\"v1\\\"", "W/\\\"v1\\\"", "validator"), ("\\\"v1\\\"", "a\\r\\nB: c", "validator"),
            ("\"etag\"", "\"tag\"", "validator"), ("00000000000000ff", "ff", "check"),
            ("00000000000000ff", "000000000000000G", "check"),
        ]
    )
    func hostile(old: String, new: String, word: String) throws {
        let text = String(decoding: sampleRecord().data, as: UTF8.self)
        let changed = text.replacingOccurrences(of: old, with: new)
        try #require(changed != text)
        let error = #expect(throws: ResumeDataError.self) {
            try ResumeRecord(data: Data(changed.utf8))
        }
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    }

    @Test("foreign, cut and huge data is refused, and no changed byte traps")
    func garbage() throws {
        let data = sampleRecord().data
        let foreign = [
            Data(), Data("{}".utf8), Data("[]".utf8), Data("null".utf8), Data("<plist/>".utf8),
            Data(repeating: UInt8(ascii: "["), count: 60_000), data + data, data.dropLast(),
            Data([0xFF, 0xFE]) + data, data + Data(repeating: 0x20, count: 64 * 1024),
        ]
        for data in foreign {
            #expect(throws: ResumeDataError.self) { try ResumeRecord(data: data) }
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            var changed = data
            let place = changed.indices.randomElement(using: &generator) ?? 0
            changed[place] = .random(in: .min ... .max, using: &generator)
            guard let record = try? ResumeRecord(data: changed) else { continue }
            #expect(record.offset > 0)
            #expect(record.partial.path.name.hasPrefix(TemporaryFile.namePrefix))
        }
    }
}

@Suite("Responses to a request for the rest")
struct ResumeDecisionTests {
    private func decide(
        _ status: Int, _ headers: HTTPHeaders, _ record: ResumeRecord = sampleRecord()
    ) -> ResumeDecision {
        .decide(record, ResponseHead(statusCode: status, headers: headers, url: sampleURL))
    }

    private func isMismatch(_ decision: ResumeDecision) -> Bool {
        if case .mismatch = decision { true } else { false }
    }

    @Test(
        "the rest is appended",
        arguments: [
            ["Content-Range": "bytes 5-9/10"],
            ["Content-Range": "bytes 5-9/10", "ETag": #""v1""#, "Content-Length": "5"],
            ["Content-Range": "bytes 5-9/*"],
            ["Content-Range": "bytes 5-9/10", "Content-Encoding": "identity"],
        ] as [[String: String]]
    )
    func append(headers: [String: String]) {
        #expect(decide(206, HTTPHeaders(headers)) == .append(offset: 5, total: 10))
    }

    @Test("an unknown total is taken from the range")
    func unknownTotal() {
        let record = sampleRecord(total: nil)
        let decision = decide(206, ["Content-Range": "bytes 5-11/12"], record)
        #expect(decision == .append(offset: 5, total: 12))
        #expect(isMismatch(decide(206, ["Content-Range": "bytes 5-11/*"], record)))
        #expect(isMismatch(decide(206, ["Content-Range": "bytes 5-10/12"], record)))
    }

    @Test(
        "a range that does not match is rejected (faults 36 and 82)",
        arguments: [
            [:], ["Content-Range": "bytes 0-9/10"], ["Content-Range": "bytes 4-9/10"],
            ["Content-Range": "bytes 6-9/10"], ["Content-Range": "bytes 5-8/10"],
            ["Content-Range": "bytes 5-9/11"], ["Content-Range": "bytes 5-10/11"],
            ["Content-Range": "bytes */10"], ["Content-Range": "5-9/10"],
            ["Content-Range": "bytes 5-8/*"], ["Content-Range": "bytes 5-10/*"],
            ["Content-Range": "bytes 5-9/10", "ETag": #""v2""#],
            ["Content-Range": "bytes 5-9/10", "ETag": #"W/"v1""#],
            ["Content-Range": "bytes 5-9/10", "Content-Encoding": "gzip"],
            ["Content-Range": "bytes 5-9/10", "Content-Length": "10"],
            [
                "Content-Range": "bytes 5-9/10",
                "Content-Type": "Multipart/Byteranges; boundary=x",
            ],
        ] as [[String: String]]
    )
    func mismatch(headers: [String: String]) {
        #expect(isMismatch(decide(206, HTTPHeaders(headers))))
    }

    @Test("a repeated Content-Range and another modification date are rejected")
    func repeated() throws {
        var headers: HTTPHeaders = ["Content-Range": "bytes 5-9/10"]
        headers.add("Content-Range", "bytes 5-9/10")
        #expect(isMismatch(decide(206, headers)))
        let dated = try sampleDatedRecord()
        let other = "Sun, 06 Nov 1994 08:49:38 GMT"
        let same = "Sun, 06 Nov 1994 08:49:37 GMT"
        let range = "bytes 5-9/10"
        #expect(isMismatch(decide(206, ["Content-Range": range, "Last-Modified": other], dated)))
        #expect(
            decide(206, ["Content-Range": range, "Last-Modified": same], dated)
                == .append(offset: 5, total: 10)
        )
    }

    @Test("a whole body starts over, and a failure leaves the partial file unchanged")
    func others() {
        for status in [200, 203] { #expect(decide(status, [:]) == .restart) }
        for status in [304, 401, 404, 412, 429, 500, 503] {
            #expect(decide(status, [:]) == .unrelated)
        }
    }

    @Test("416 completes the file if the length equals the offset, and is a mismatch otherwise")
    func unsatisfied() {
        let whole = sampleRecord(offset: 10)
        let unknown = sampleRecord(offset: 10, total: nil)
        let atEnd: HTTPHeaders = ["Content-Range": "bytes */10"]
        #expect(decide(416, atEnd, whole) == .finished)
        #expect(decide(416, atEnd, unknown) == .finished)
        #expect(isMismatch(decide(416, ["Content-Range": "bytes */5"])))
        #expect(isMismatch(decide(416, ["Content-Range": "bytes */9"], whole)))
        #expect(isMismatch(decide(416, [:], whole)))
        #expect(isMismatch(decide(416, ["Content-Range": "bytes 0-9/10"], whole)))
        #expect(isMismatch(decide(416, ["Content-Range": "bytes */10", "ETag": "\"v2\""], whole)))
    }
}

// MARK: Samples

private let sampleURL = URL(string: "https://example.com/a?b=c") ?? URL(fileURLWithPath: "/")

private func samplePartial(_ length: Int64 = 5) -> PartialFile {
    let directory = try? FilePath(URL(fileURLWithPath: "/tmp"), for: .open)
    guard let directory, let checksum = ByteChecksum(text: "00000000000000ff") else {
        preconditionFailure("the samples are no samples")
    }
    let path = directory.appending(".bluebonnet-x")
    return PartialFile(path: path, length: length, checksum: checksum)
}

private func sampleRecord(offset: Int64 = 5, total: Int64? = 10) -> ResumeRecord {
    ResumeRecord(
        url: sampleURL, validator: .entityTag(#""v1""#), total: total,
        partial: samplePartial(offset)
    )
}

private func sampleDatedRecord() throws -> ResumeRecord {
    ResumeRecord(
        url: sampleURL,
        validator: .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"), total: 10,
        partial: samplePartial()
    )
}

private func sampleHead(_ status: Int = 200, changes: [String: String] = [:]) -> ResponseHead {
    var headers: HTTPHeaders = ["ETag": #""v1""#, "Content-Length": "10"]
    for (name, value) in changes { headers[name] = value }
    return ResponseHead(statusCode: status, headers: headers, url: sampleURL)
}
