import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Pieces of a body", .timeLimit(.minutes(5)))
struct ChunkTests {
    @Test("a piece of data, empty or a slice, has that data")
    func copies() {
        let data = Data((0..<100).map { UInt8($0) })
        #expect(Exchange.Chunk(data).data == data)
        #expect(Exchange.Chunk(data[40..<60]).data == data[40..<60])
        #expect(Exchange.Chunk(Data()).data.isEmpty)
        #expect(Exchange.Chunk(Data()).withUnsafeBytes { $0.count } == 0)
    }

    @Test("only a direct successor in the same storage joins")
    func joining() throws {
        let storage = try #require(BodyStorage(capacity: 10))
        for index in 0..<10 {
            storage.bytes.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self)
        }
        var first = Exchange.Chunk(storage: storage, range: 0..<4)
        let same = Exchange.Chunk(storage: storage, range: 0..<4)
        let gap = Exchange.Chunk(storage: storage, range: 5..<6)
        let next = Exchange.Chunk(storage: storage, range: 4..<9)
        let other = Exchange.Chunk(Data([1]))
        for refused in [same, gap, other] {
            let isJoined = first.extend(with: refused)
            #expect(!isJoined)
        }
        let isJoined = first.extend(with: next)
        #expect(isJoined)
        #expect(Array(first.data) == [0, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("several pieces are joined in order, and their memory is released")
    func becomingOne() throws {
        var pieces: [Exchange.Chunk] = []
        weak var first: BodyStorage?
        for text in ["", "blue", "b", "", "onnet"] {
            let storage = BodyStorage(copying: Data("<\(text)>".utf8))
            if pieces.isEmpty { first = storage }
            pieces.append(.init(storage: storage, range: 1..<(1 + text.utf8.count)))
        }
        #expect(first != nil)
        let whole = try #require(Exchange.Chunk(joining: &pieces))
        #expect(whole.data == Data("bluebonnet".utf8))
        #expect(pieces.isEmpty)
        #expect(first == nil)
    }

    @Test("pieces that are too long together stay unchanged")
    func tooManyForOne() throws {
        let storage = try #require(BodyStorage(capacity: 1))
        var pieces = [1, 2].map { _ in Exchange.Chunk(storage: storage, range: 0..<(1 << 60)) }
        #expect(Exchange.Chunk(joining: &pieces) == nil)
        #expect(pieces.count == 2)
        pieces = []
    }

    @Test("data that shares a piece's memory outlives the piece")
    func sharing() {
        func make() -> Data { Exchange.Chunk(Data(repeating: 7, count: 100_000)).data }
        #expect(make() == Data(repeating: 7, count: 100_000))
    }

    @Test("a stub's head finds its fields like a received one")
    func stubHead() {
        let head = Exchange.Head(
            statusCode: 201,
            fields: [.init(name: "Set-Cookie", value: "a"), .init(name: "set-cookie", value: "")])
        #expect(head["SET-COOKIE"] == "a")
        #expect(head.fields.map(\.value) == ["a", ""])
    }
}
