import CBluebonnetMalloc
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Streams as bodies")
struct InputStreamReaderTests {
    private func readAll(_ reader: InputStreamReader, by count: Int) throws(StreamFailure)
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        while true {
            let piece = try reader.read(upTo: count)
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }

    @Test("a stream is read whole, with and without a length", arguments: [1, 7, 1000, Int.max])
    func whole(count: Int) throws {
        let bytes = sampleBytes(1000)
        for length in [nil, 1000] as [Int64?] {
            let reader = InputStreamReader(length: length) { InputStream(data: Data(bytes)) }
            #expect(try readAll(reader, by: count) == bytes)
            #expect(try reader.read(upTo: 1).isEmpty)
            let slow = InputStreamReader(length: length) { ScriptedStream([bytes]) }
            #expect(try readAll(slow, by: count) == bytes)
        }
        #expect(
            try InputStreamReader(length: 0) { InputStream(data: Data()) }.read(upTo: 1).isEmpty)
    }

    @Test("a stream with small reads is passed on in pieces of that size")
    func littleAtATime() throws {
        let bytes = sampleBytes(60_000)
        let little = stride(from: 0, to: bytes.count, by: 100).map { Array(bytes[$0..<$0 + 100]) }
        let reader = InputStreamReader { ScriptedStream(little, most: 100) }
        var pieces: [Data] = []
        while case let piece = try reader.read(upTo: 256 * 1024), !piece.isEmpty {
            pieces.append(piece)
        }
        #expect(pieces.count == 600 && pieces.flatMap { $0 } == bytes)
        for piece in pieces {
            let size = piece.withUnsafeBytes { bytes in
                malloc_usable_size(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
            #expect(size < 1024)
        }
    }

    @Test("a file's stream is read")
    func file() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.write(sampleBytes(100_000), to: "x")
        let reader = InputStreamReader(length: 100_000) {
            guard let stream = InputStream(url: url) else { throw CocoaError(.fileNoSuchFile) }
            return stream
        }
        #expect(try readAll(reader, by: 4096) == sampleBytes(100_000))
        let missing = InputStreamReader {
            InputStream(fileAtPath: directory.file("none").path) ?? InputStream(data: Data())
        }
        let failure = #expect(throws: StreamFailure.self) { try missing.read(upTo: 1) }
        #expect(failure?.reason == .failed)
    }

    @Test("fewer or more bytes than declared fail before the last piece (fault 80)")
    func wrongLength() throws {
        for (length, reason) in [(11, .tooShort), (9, .tooLong), (0, .tooLong)]
            as [(Int64, StreamFailure.Reason)]
        {
            for count in [1, 4, 100] {
                let reader = InputStreamReader(length: length) { ScriptedStream([sampleBytes(10)]) }
                var sent = 0
                let failure = #expect(throws: StreamFailure.self) {
                    while true {
                        let piece = try reader.read(upTo: count)
                        if piece.isEmpty { break }
                        sent += piece.count
                    }
                }
                #expect(failure?.reason == reason)
                #expect(sent < max(1, length))
                let same = try #require(failure)
                #expect(throws: same) { try reader.read(upTo: 1) }
            }
        }
    }

    @Test("errors of the stream, of the closure, and of a used stream are distinguished")
    func failures() throws {
        let broken = InputStreamReader { ScriptedStream([[1, 2], nil]) }
        #expect(try broken.read(upTo: 10) == Data([1, 2]))
        let failed = #expect(throws: StreamFailure.self) { try broken.read(upTo: 10) }
        #expect(failed?.reason == .failed)
        #expect(failed?.description.contains("scripted") == true)

        let thrown = InputStreamReader { throw CocoaError(.fileNoSuchFile) }
        let unusable = #expect(throws: StreamFailure.self) { try thrown.read(upTo: 10) }
        #expect(unusable?.reason == .unusable)

        let used = InputStreamReader {
            let stream = InputStream(data: Data([1]))
            stream.open()
            return stream
        }
        let opened = #expect(throws: StreamFailure.self) { try used.read(upTo: 10) }
        #expect(opened?.reason == .unusable)

        let lying = InputStreamReader { ScriptedStream([[1]], surplus: 5) }
        let lie = #expect(throws: StreamFailure.self) { try lying.read(upTo: 1) }
        #expect(lie?.reason == .failed)
    }
}

/// A stream that returns a few bytes at a time and reports none available.
///
/// A nil is an error.
private final class ScriptedStream: InputStream {
    private var script: [[UInt8]?]
    private let surplus: Int
    private let most: Int
    private var status = Stream.Status.notOpen

    init(_ script: [[UInt8]?], surplus: Int = 0, most: Int = 3) {
        self.script = script
        self.surplus = surplus
        self.most = most
        super.init(data: Data())
    }

    override func open() { status = .open }
    override func close() { status = .closed }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { StreamFailure(.failed, "scripted") }
    override var hasBytesAvailable: Bool { false }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard let first = script.first else { return 0 }
        guard let bytes = first else { return -1 }
        let count = min(length, bytes.count, most)
        for (place, byte) in bytes.prefix(count).enumerated() { buffer[place] = byte }
        let rest = Array(bytes.dropFirst(count))
        script[0] = rest
        if rest.isEmpty { script.removeFirst() }
        return count + surplus
    }
}
