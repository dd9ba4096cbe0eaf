import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Bodies in content codings that are cut, corrupt, or made to hurt.
extension Fault {
    private static let text = String(repeating: "Bluebonnets bloom along the road. ", count: 4)
    private static let gzip = bytes(
        """
        1f8b080000000000020373ca294d4dcacfcb4b2d295648cac9cfcf5548ccc9cf4b5728c9485528ca4f4cd15370
        a28b0a0043e2c53988000000
        """)
    private static let zlib = bytes(
        """
        78da73ca294d4dcacfcb4b2d295648cac9cfcf5548ccc9cf4b5728c9485528ca4f4cd15370a28b0a00698b3181
        """)
    private static let rawDeflate = Array(zlib.dropFirst(2).dropLast(4))
    private static let brotli = bytes(
        "1b8700f84527471a7184df6eef872a057928b08c619d92baf5446cde16944c1b573e00")
    private static let zstd = bytes(
        """
        28b52ffd04685501002402426c7565626f6e6e65747320626c6f6f6d20616c6f6e672074686520726f61642e20
        01001a25554fab3021cc
        """)
    /// 20 MB of zeros.
    private static let brotliBomb = bytes(
        "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd5ffeb3c4e09f0088c302005d9218")

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private static func head(_ coding: String, _ length: Int) -> FaultAction {
        .send(
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(length)\r\n\r\n")
    }

    private static func coded(_ coding: String, _ body: [UInt8]) -> FaultScript {
        FaultScript([.request, head(coding, body.count), .send(body)])
    }

    private static func chunked(_ coding: String, _ body: [UInt8]) -> FaultScript {
        let size = String(body.count, radix: 16)
        return FaultScript([
            .request,
            .send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n"),
            .send(body), .send("\r\n0\r\n\r\n"),
        ])
    }

    private static var bad: FaultOutcome { .failure(.undecodable) }
    private static var whole: FaultOutcome { .response(200, body: text) }
    private static let truncates = "fails, because the coding is incomplete"

    private static func changed(_ body: [UInt8], _ place: Int) -> [UInt8] {
        var body = body
        body[place] ^= 0x55
        return body
    }

    static var codings: [Fault] {
        [
            Fault(
                "41a", "gzip without its footer", bad, truncates, coded("gzip", gzip.dropLast(8))),
            Fault(
                "41b", "gzip truncated in the middle", bad, truncates,
                coded("gzip", gzip.dropLast(30))),
            Fault(
                "41c", "gzip truncated in the middle, in complete chunks", bad, truncates,
                chunked("gzip", gzip.dropLast(30))),
            Fault(
                "41d", "gzip truncated by the end of the connection", bad, truncates,
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
                    .send(gzip.dropLast(30)), .close,
                ])),
            Fault("41e", "truncated br", bad, truncates, coded("br", brotli.dropLast(9))),
            Fault("41f", "truncated zstd", bad, truncates, coded("zstd", zstd.dropLast(9))),
            Fault("41g", "truncated deflate", bad, truncates, coded("deflate", zlib.dropLast(9))),
            Fault("42a", "corrupt gzip", bad, "fails", coded("gzip", changed(gzip, 20))),
            Fault(
                "42b", "gzip with a wrong checksum", bad, "fails", coded("gzip", changed(gzip, 50))),
            Fault(
                "42c", "an unknown content coding", .response(200, body: "abc"),
                "delivers the encoded body and names the coding in the head",
                coded("magic", Array("abc".utf8))),
            Fault(
                "42d", "six nested content codings",
                .failure(.limit(.contentCodingCount)), "fails",
                coded("gzip, gzip, gzip, gzip, gzip, gzip", gzip)),
            Fault("42e", "corrupt br", bad, "fails", coded("br", changed(brotli, 9))),
            Fault("42f", "corrupt zstd", bad, "fails", coded("zstd", changed(zstd, 30))),
            Fault(
                "43a", "other bytes after gzip", whole, "ignores them",
                coded("gzip", gzip + Array("junk".utf8))),
            Fault(
                "43b", "two gzip members", .response(200, body: text + text),
                "decodes both members",
                coded("gzip", gzip + gzip)),
            Fault(
                "43c", "an empty body declared as gzip", .response(200, body: ""),
                "delivers an empty body",
                coded("gzip", [])),
            Fault(
                "44a", "deflate without zlib's framing", whole, "accepts it",
                coded("deflate", rawDeflate)),
            Fault(
                "44b", "deflate with zlib's framing", whole, "accepts it", coded("deflate", zlib)),
            Fault(
                "45a", "a gzip bomb beyond the body size limit",
                .failure(.limit(.bodySize)), "fails at the limit",
                coded("gzip", (try? CompressedZeros.bytes(8_000_000, through: "gzip -9n")) ?? [])
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 1_000_000
                }
            },
            Fault(
                "45b", "a br bomb of 40 bytes", .failure(.limit(.expansionRatio)),
                "fails at 1,100 times the received bytes", coded("br", brotliBomb)),
            Fault(
                "45c", "a zstd bomb", .failure(.limit(.expansionRatio)),
                "fails at 1,100 times the received bytes",
                coded(
                    "zstd", (try? CompressedZeros.bytes(20_000_000, through: "zstd -19 -c")) ?? [])),
        ]
    }
}
