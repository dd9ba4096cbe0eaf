import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Content codings of request bodies")
struct ContentEncoderTests {
    private static let encoders: [(ContentEncoder, String)] = [
        (.gzip, "gzip"), (.deflate, "deflate"), (.zstd, "zstd"),
    ]

    /// Returns partly repetitive bytes.
    private static func sample(_ count: Int, seed: UInt64) -> Data {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let piece = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                UInt8.random(in: 0...UInt8.max, using: &generator)
            }
            for _ in 0..<Int.random(in: 1...20, using: &generator) { bytes += piece }
        }
        return Data(bytes.prefix(count))
    }

    @Test("the library's decoder restores encoded data of many sizes")
    func roundTrip() throws {
        for (encoder, name) in Self.encoders {
            for count in [200, 1000, 65_535, 65_536, 65_537, 300_000, 5_000_000] {
                let data = Self.sample(count, seed: UInt64(count))
                let encoded = try #require(try encoder.encoded(data), "\(name), \(count)")
                #expect(encoded.count < data.count)
                let decoded = try decode(
                    [UInt8](encoded), contentEncoding: name, outputSize: 65_536)
                #expect(Data(decoded) == data, "\(name), \(count)")
            }
        }
    }

    @Test("a slice of data is encoded from its own start to its own end")
    func slice() throws {
        let data = Self.sample(3000, seed: 1)
        for (encoder, name) in Self.encoders {
            let encoded = try #require(try encoder.encoded(data[1000..<2500]))
            #expect(Data(try decode([UInt8](encoded), contentEncoding: name)) == data[1000..<2500])
        }
    }

    @Test("data that would not shrink is not encoded")
    func incompressible() throws {
        var generator = SeededGenerator(seed: 3)
        let random = Data(
            (0..<10_000).map { _ in UInt8.random(in: 0...UInt8.max, using: &generator) })
        for (encoder, name) in Self.encoders {
            for data in [Data(), Data("a".utf8), Data("{}".utf8), random] {
                #expect(try encoder.encoded(data) == nil, "\(name), \(data.count)")
            }
        }
    }

    @Test("the coding deflate is the zlib format at Alamofire's level")
    func format() throws {
        let data = Data(String(repeating: "a", count: 1000).utf8)
        #expect(try #require(try ContentEncoder.deflate.encoded(data)).starts(with: [0x78, 0x5E]))
        #expect(try #require(try ContentEncoder.gzip.encoded(data)).starts(with: [0x1F, 0x8B, 8]))
        #expect(
            try #require(try ContentEncoder.zstd.encoded(data))
                .starts(with: [0x28, 0xB5, 0x2F, 0xFD]))
    }

    @Test("gzip, zstd and Python's zlib decode it")
    func tools() throws {
        let data = Self.sample(700_000, seed: 9)
        let tools: [(ContentEncoder, SystemCommand)] = [
            (.gzip, SystemCommand("gzip", ["-dc"])), (.zstd, SystemCommand("zstd", ["-dc"])),
            (
                .deflate,
                SystemCommand(
                    "/usr/bin/python3",
                    [
                        "-c",
                        "import sys, zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))",
                    ])
            ),
        ]
        for (encoder, tool) in tools {
            var command = tool
            command.input = try #require(try encoder.encoded(data))
            #expect(try command.output() == data, "\(tool.program)")
        }
    }
}
