import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Files and streams of a form", .timeLimit(.minutes(5)))
struct MultipartFileTests {
    let directory: TemporaryDirectory
    let file: URL

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(sampleBytes(10_000), to: "file.bin")
    }

    @Test("a file is named by its last path component or the caller, and typed by that name")
    func names() throws {
        let body = try multipart { form in
            try form.appendPart(fileURL: file, name: "a")
            try form.appendPart(fileURL: file, name: "b", fileName: "c.png")
            try form.appendPart(fileURL: file, name: "d", fileName: "e.png", mimeType: "f/g")
        }
        let text = try text(of: body)
        #expect(
            text.contains("name=\"a\"; filename=\"file.bin\"\r\nContent-Type: application/octet"))
        #expect(text.contains("name=\"b\"; filename=\"c.png\"\r\nContent-Type: image/png\r\n"))
        #expect(text.contains("name=\"d\"; filename=\"e.png\"\r\nContent-Type: f/g\r\n"))
    }

    @Test("a missing file, directory, pipe or other URL is an error with the part's name")
    func unusable() throws {
        let pipe = directory.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let web = try #require(URL(string: "http://h/file"))
        for url in [directory.file("none"), directory.url, pipe, web] {
            let failure = partFailure {
                _ = try multipart { try $0.appendPart(fileURL: url, name: "photo") }
            }
            #expect(failure?.partName == "photo" && failure?.partNumber == 1)
            #expect(failure?.fileFailure?.operation == .open)
            #expect(
                failure?.description.hasPrefix("part 1 \"photo\" of the form: could not") == true)
        }
    }

    @Test("a file can be larger than 4 GiB (fault 92)")
    func huge() throws {
        let small = try multipart { try $0.appendPart(fileURL: file, name: "a") }
        #expect(truncate(file.path, 5 << 30) == 0)
        let large = try multipart { try $0.appendPart(fileURL: file, name: "a") }
        #expect(large.length == small.length + (5 << 30) - 10_000)
    }

    enum Change: CaseIterable, Sendable {
        case vanished, replaced, grown, shrunk, rewritten, becameDirectory
    }

    private func make(_ change: Change) throws {
        switch change {
        case .vanished: try FileManager.default.removeItem(at: file)
        case .replaced:
            let other = try directory.write(sampleBytes(10_000), to: "other")
            #expect(rename(other.path, file.path) == 0)
        case .grown, .rewritten:
            let handle = try FileHandle(forWritingTo: file)
            if change == .grown { try handle.seekToEnd() }
            try handle.write(contentsOf: Data([1]))
            try handle.close()
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
        case .shrunk: #expect(truncate(file.path, 9_999) == 0)
        case .becameDirectory:
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        }
    }

    @Test(
        "a file that changed since it was appended fails before its first byte is returned",
        arguments: Change.allCases)
    func changedBefore(change: Change) throws {
        let body = try multipart { form in
            form.appendPart(formData: Data(count: 100), name: "first")
            try form.appendPart(fileURL: file, name: "photo")
        }
        try make(change)
        #expect(partFailure { try body.check() }?.partName == "photo")
        let reader = MultipartReader(body)
        let failure = partFailure {
            // One byte at a time, so that only bytes before the file can be returned.
            while try !reader.read(upTo: 1).isEmpty {}
        }
        #expect(failure?.partName == "photo" && failure?.partNumber == 2)
        #expect(failure?.fileFailure?.path == file.path)
        #expect(partFailure { _ = try reader.read(upTo: 1) } == failure)
    }

    @Test(
        "a file that changes during the read fails before its last byte is returned",
        arguments: Change.allCases, [1, 100, 9_000])
    func changedDuring(change: Change, count: Int) throws {
        let body = try multipart { form in
            try form.appendPart(fileURL: file, name: "photo")
            form.appendPart(formData: Data(count: 100), name: "last")
        }
        let reader = MultipartReader(body)
        var given = 0
        while given < 500 + count { given += try reader.read(upTo: 100).count }
        try make(change)
        let failure = partFailure {
            while case let piece = try reader.read(upTo: 100), !piece.isEmpty {
                given += piece.count
            }
        }
        #expect(failure?.partName == "photo")
        #expect(given < 10_000 + 200)
    }

    @Test("a disk error during the read names the part")
    func brokenDisk() throws {
        let fault = FileFault(EIO, at: 2...2)
        let body = try multipart(on: FileSystem.linux.failing(.read, fault)) {
            try $0.appendPart(fileURL: file, name: "photo")
        }
        let failure = partFailure { _ = try body.readAll(by: 1000) }
        #expect(failure?.partName == "photo")
        #expect(failure?.fileFailure?.systemErrorNumber == EIO)
    }

    @Test(
        "a stream that is too short or long, fails, or cannot be created names its part",
        arguments: [
            (StreamFailure.Reason.tooShort, Int64(101)), (.tooLong, 99), (.tooLong, 0),
            (.unusable, 100),
        ])
    func badStream(reason: StreamFailure.Reason, length: Int64) throws {
        struct Refusal: Error {}
        for size in [1, 7, 4096] {
            let body = try multipart { form in
                try form.appendPart(length: length, name: "raw", fileName: "raw") {
                    if reason == .unusable { throw Refusal() }
                    return InputStream(data: Data(count: 100))
                }
                form.appendPart(formData: Data(), name: "last")
            }
            let failure = partFailure { _ = try body.readAll(by: size) }
            #expect(failure?.partName == "raw" && failure?.streamReason == reason)
        }
    }

    @Test("a form can have more files than a process can open, and leaves none open")
    func manyFiles() throws {
        let opened = Locked((now: 0, most: 0))
        var fileSystem = FileSystem.linux
        fileSystem.open = { path, flags throws(SystemError) in
            opened.withLock { opened in
                opened.now += 1
                opened.most = max(opened.most, opened.now)
            }
            return try FileSystem.linux.open(path, flags)
        }
        fileSystem.close = { descriptor in
            opened.withLock { $0.now -= 1 }
            FileSystem.linux.close(descriptor)
        }
        let body = try multipart(on: fileSystem) { form in
            for number in 0..<2000 { try form.appendPart(fileURL: file, name: "\(number)") }
        }
        #expect(try body.readAll(by: 1 << 16).count == Int(body.length))
        let counts = opened.withLock { $0 }
        #expect(counts.now == 0 && counts.most == 1)
    }

    // MARK: Writing to a file

    @Test("it is written to a file byte for byte, and the request has no stream")
    func written() async throws {
        let serializer = HTTPRequestSerializer()
        let request = try formRequest(parameters: ["a": 1]) {
            try $0.appendPart(fileURL: file, name: "photo")
        }
        let body = try #require(request.multipartBody)
        let place = directory.file("sub/body")
        let plain = try await serializer.request(
            withMultipartFormRequest: request, writingBodyTo: place,
            options: .createIntermediateDirectories)
        #expect(try place.bytes == body.readAll(by: 1000))
        #expect(plain.httpBodyStream == nil && plain.httpBody == nil)
        #expect(plain.value(forHTTPHeaderField: "Content-Type") == body.contentType)
        #expect(plain.value(forHTTPHeaderField: "Content-Length") == "\(body.length)")
        await #expect(throws: RequestSerializationError.self) {
            try await serializer.request(withMultipartFormRequest: plain, writingBodyTo: place)
        }
    }

    @Test("a separate form is written with its type and boundary")
    func writtenAlone() async throws {
        var form = MultipartFormData()
        form.appendPart(formData: Data("x".utf8), name: "a")
        form.throttleBandwidth(packetSize: 1, delay: .seconds(3600))
        let place = directory.file("body")
        let type = try await form.write(to: place)
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(try place.bytes.starts(with: "--\(boundary)\r\n".utf8))
    }

    @Test("a canceled Swift task continues at once and leaves no file")
    func cancelled() async throws {
        let (mayGoOn, isWaiting) = (DispatchSemaphore(value: 0), Recorder<Void>())
        let body = try multipart {
            try $0.appendPart(length: 1, name: "a", fileName: "a") {
                isWaiting.add(())
                mayGoOn.wait()
                return InputStream(data: Data([1]))
            }
        }
        let place = directory.file("body")
        let writing = Task { try await body.write(to: place, []) }
        await isWaiting.wait(for: 1)
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        mayGoOn.signal()
        #expect(await until { (try? directory.names) == ["file.bin"] })
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            try await body.write(to: place, [])
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("a replaced file passes on its permissions, and what is not a file stays")
    func replaced() async throws {
        let body = try multipart { $0.appendPart(formData: Data("x".utf8), name: "a") }
        let place = try directory.write([7], to: "body")
        chmod(place.path, 0o604)
        try await body.write(to: place, .removePreviousFile)
        #expect(try place.bytes.count > 1)
        #expect(place.fileStatus.map { $0.st_mode & 0o7777 } == 0o604)
        let pipe = directory.file("pipe")
        mkfifo(pipe.path, 0o600)
        await #expect(throws: FileFailure.self) {
            try await body.write(to: pipe, .removePreviousFile)
        }
        #expect(pipe.fileStatus.map { $0.st_mode & S_IFMT } == S_IFIFO)
    }

    @Test("a failed read or write leaves no new file, and keeps an existing one")
    func notWritten() async throws {
        let place = try directory.write([7], to: "body")
        let photo = try multipart { try $0.appendPart(fileURL: file, name: "photo") }
        await #expect(throws: FileFailure.self) { try await photo.write(to: place, []) }
        try FileManager.default.removeItem(at: file)
        await #expect(throws: MultipartFailure.self) {
            try await photo.write(to: place, .removePreviousFile)
        }
        #expect(try place.bytes == [7])
        #expect(try directory.names == ["body"])
        let body = try multipart { $0.appendPart(formData: Data(count: 10_000), name: "a") }
        let fault = FileFault(ENOSPC)
        await #expect(throws: FileFailure.self) {
            try await body.write(
                to: place, .removePreviousFile, on: FileSystem.linux.failing(.write, fault))
        }
        #expect(try place.bytes == [7])
        #expect(try directory.names == ["body"])
    }
}
