import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Collecting a body", .timeLimit(.minutes(5)))
struct BodyCollectorTests {
    private func chunk(_ byte: UInt8) -> Exchange.Chunk {
        Exchange.Chunk(Data(repeating: byte, count: 1000))
    }

    private func address(of data: Data) -> UnsafeRawPointer? {
        data.withUnsafeBytes { $0.baseAddress }
    }

    @Test("pieces are joined once, however often the body is read")
    func once() throws {
        var body = BodyCollector()
        body.append([chunk(1), chunk(2)])
        body.append([chunk(3)])
        let (one, other) = (body.joined(), body.joined())
        let (first, second) = (try #require(one), try #require(other))
        #expect(first == Data([1, 2, 3].flatMap { [UInt8](repeating: $0, count: 1000) }))
        #expect(address(of: first) == address(of: second))
        #expect(body.chunks.count == 1 && body.count == 3000)
    }

    @Test("pieces after a read follow the body, and changes to the copy have no effect")
    func goingOn() throws {
        var body = BodyCollector()
        for byte in 1...5 as ClosedRange<UInt8> {
            body.append([chunk(byte)])
            var data = try #require(body.copied())
            #expect(data.count == Int(byte) * 1000 && data.last == byte && data.first == 1)
            data.resetBytes(in: 0..<data.count)
        }
        #expect(body.count == 5000)
        #expect(body.joined()?.count == 5000 && body.joined()?.last == 5)
    }

    @Test("a body that ended early does not keep memory for its whole length")
    func sparse() throws {
        weak var storage: BodyStorage?
        var body = BodyCollector()
        do {
            let whole = try #require(BodyStorage(capacity: 1_000_000))
            whole.bytes.storeBytes(of: 7, as: UInt8.self)
            body.append([Exchange.Chunk(storage: whole, range: 0..<1000)])
            storage = whole
        }
        #expect(storage != nil)
        #expect(body.joined()?.count == 1000 && body.joined()?.first == 7)
        #expect(storage == nil)
    }

    @Test("a body that does not fit into memory is released and stays lost")
    func lost() throws {
        let storage = try #require(BodyStorage(capacity: 1))
        var body = BodyCollector()
        for _ in 0..<2 { body.append([.init(storage: storage, range: 0..<(1 << 60))]) }
        #expect(body.copied() == nil && body.chunks.count == 2)
        #expect(!body.makeRoom() && body.chunks.isEmpty)
        #expect(body.joined() == nil && !body.makeRoom())
        #expect(body.count == 1 << 61)
    }
}
