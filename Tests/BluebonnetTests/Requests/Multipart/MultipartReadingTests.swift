import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Reading a form")
struct MultipartReadingTests {
    let directory: TemporaryDirectory
    let body: MultipartBody

    init() throws {
        directory = try TemporaryDirectory()
        let file = try directory.write(sampleBytes(5000), to: "a.bin")
        body = try multipart { form in
            form.appendPart(formData: Data(sampleBytes(300)), name: "a")
            try form.appendPart(fileURL: file, name: "b")
            // The indices of a slice do not start at 0.
            form.appendPart(formData: Data(sampleBytes(100))[50...], name: "c")
            try form.appendPart(length: 4097, name: "d", fileName: "d") {
                InputStream(data: Data(sampleBytes(4097, seed: 2)))
            }
            try form.appendPart(fileURL: file, name: "e")
        }
    }

    @Test(
        "it returns the same bytes at any read size, in pieces of at most that size",
        arguments: [1, 2, 3, 7, 64, 255, 256, 4096, 4097, 65_536, Int.max])
    func readSizes(size: Int) throws {
        let bytes = try body.readAll(by: size)
        #expect(bytes.count == Int(body.length))
        let contents =
            [sampleBytes(300), sampleBytes(5000), Array(sampleBytes(100)[50...])]
            + [sampleBytes(4097, seed: 2), sampleBytes(5000)]
        let names = [
            "a", "b\"; filename=\"a.bin", "c", "d\"; filename=\"d", "e\"; filename=\"a.bin",
        ]
        var expected: [UInt8] = []
        for (name, content) in zip(names, contents) {
            let type = name.count > 1 ? "Content-Type: application/octet-stream\r\n" : ""
            expected += Array(
                "--\(body.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\(type)\r\n"
                    .utf8)
            expected += content + Array("\r\n".utf8)
        }
        expected += Array("--\(body.boundary)--\r\n".utf8)
        #expect(bytes == expected)
    }

    @Test("it can be repeated and done concurrently, with the same boundary")
    func again() throws {
        let (first, second) = (MultipartReader(body), MultipartReader(body))
        var (left, right): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<Int(body.length) {
            left += try first.read(upTo: 3)
            right += try second.read(upTo: 5)
        }
        #expect(left == right && left.count == Int(body.length))
        #expect(try body.readAll(by: 1 << 20) == left)
    }

    @Test("the request's stream returns the same bytes to any other reader")
    func stream() throws {
        let request = try formRequest { form in
            form.appendPart(formData: Data(sampleBytes(5000)), name: "a")
        }
        let body = try #require(request.multipartBody)
        let stream = try #require(request.httpBodyStream)
        #expect(stream.streamStatus == .notOpen && !stream.hasBytesAvailable)
        var buffer = [UInt8](repeating: 0, count: 1000)
        #expect(stream.read(&buffer, maxLength: 1000) == -1)
        stream.open()
        #expect(stream.hasBytesAvailable)
        var bytes: [UInt8] = []
        while case let count = stream.read(&buffer, maxLength: 1000), count > 0 {
            bytes += buffer.prefix(count)
        }
        #expect(stream.streamStatus == .atEnd && stream.streamError == nil)
        #expect(try bytes == body.readAll(by: 4096))
        stream.close()
        #expect(stream.streamStatus == .closed)
    }

    @Test("a stream that fails reports its error and returns nothing more")
    func failingStream() throws {
        let file = try directory.write([1, 2, 3], to: "gone")
        let request = try formRequest { try $0.appendPart(fileURL: file, name: "g") }
        try FileManager.default.removeItem(at: file)
        let stream = try #require(request.httpBodyStream)
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 10_000)
        for _ in 0..<2 { #expect(stream.read(&buffer, maxLength: 10_000) == -1) }
        #expect(stream.streamStatus == .error)
        #expect((stream.streamError as? MultipartFailure)?.partName == "g")
    }

    @Test("a stream that waits does not hold back the bytes before it")
    func waiting() throws {
        let body = try multipart { form in
            form.appendPart(formData: Data("x".utf8), name: "a")
            try form.appendPart(length: 1, name: "b", fileName: "b") {
                Issue.record("the stream was made too early")
                return InputStream(data: Data([1]))
            }
        }
        let reader = MultipartReader(body)
        let head = try reader.read(upTo: 1 << 16)
        #expect(String(decoding: head, as: UTF8.self).hasSuffix("octet-stream\r\n\r\n"))
    }

    @Test("random forms with parts of every kind are read back part by part")
    func random() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var contents: [[UInt8]] = []
            let body = try multipart(seed: seed) { form in
                for number in 0..<Int.random(in: 1...6, using: &generator) {
                    let count = Int.random(in: 0...300, using: &generator)
                    let bytes = sampleBytes(count, seed: generator.next())
                    contents.append(bytes)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: form.appendPart(formData: Data(bytes), name: "\(number)")
                    case 1:
                        let file = try directory.write(bytes, to: "\(seed)-\(number)")
                        try form.appendPart(fileURL: file, name: "\(number)")
                    default:
                        try form.appendPart(length: Int64(count), name: "\(number)", fileName: "x")
                        {
                            InputStream(data: Data(bytes))
                        }
                    }
                }
            }
            let size = Int.random(in: 1...50, using: &generator)
            let bytes = try body.readAll(by: size)
            #expect(bytes.count == Int(body.length))
            #expect(split(bytes, body.boundary) == contents, "seed \(seed)")
        }
    }

    /// Returns the contents between the boundaries, by an independent search.
    private func split(_ bytes: [UInt8], _ boundary: String) -> [[UInt8]] {
        var rest = Data("\r\n".utf8 + bytes)
        var contents: [[UInt8]] = []
        let delimiter = Data("\r\n--\(boundary)".utf8)
        while let start = rest.range(of: delimiter) {
            rest = Data(rest[start.upperBound...])
            guard let end = rest.range(of: delimiter),
                let head = rest.range(of: Data("\r\n\r\n".utf8))
            else { break }
            contents.append(Array(rest[head.upperBound..<end.lowerBound]))
        }
        return contents
    }
}
