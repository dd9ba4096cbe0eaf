import Bluebonnet
import Foundation
import Testing

@Suite("HTTPResponseSerializer")
struct HTTPResponseSerializerTests {
    @Test("the body is returned unchanged")
    func body() throws {
        let body = Data((0...255).map { UInt8($0) })
        let serializer = HTTPResponseSerializer()
        #expect(try serializer.serialize(body, head: nil) == body)
        #expect(try serializer.serialize(body, head: head(type: "image/png")) == body)
    }

    @Test("a file is read to its end, even if its reported size is 0, as in /proc")
    func file() throws {
        let status = URL(fileURLWithPath: "/proc/self/status")
        let serializer = HTTPResponseSerializer()
        #expect(try serializer.serialize(file: status, head: nil).starts(with: Data("Name:".utf8)))
    }

    @Test("an empty body is empty data, as are 204, 205, 304 and HEAD")
    func empty() throws {
        let serializer = HTTPResponseSerializer()
        #expect(try serializer.serialize(Data(), head: head()).isEmpty)
        for head in try bodilessHeads() {
            #expect(try serializer.serialize(Data("x".utf8), head: head).isEmpty)
        }
    }
}
