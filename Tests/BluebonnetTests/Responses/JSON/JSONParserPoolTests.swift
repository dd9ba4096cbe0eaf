import Foundation
import Testing

@testable import Bluebonnet

@Suite("Reuse of JSON parsers")
struct JSONParserPoolTests {
    private let pool = JSONParserPool(maximumCount: 2, maximumCapacity: 1000)

    private func parse(_ text: String, with parser: JSONParser) throws -> Bool {
        try Data(text.utf8).withUnsafeBytes { try parser.parse($0) != nil }
    }

    @Test("a returned parser is the next to be lent")
    func reuse() throws {
        let first = try pool.withParser { ObjectIdentifier($0) }
        #expect(pool.idleCount == 1)
        #expect(try pool.withParser { ObjectIdentifier($0) } == first)
        #expect(pool.idleCount == 1)
    }

    @Test("each borrower has its own parser, and the pool keeps no more than its limit")
    func bound() throws {
        try pool.withParser { first in
            try pool.withParser { second in
                try pool.withParser { third in
                    #expect(Set([first, second, third].map { ObjectIdentifier($0) }).count == 3)
                }
            }
        }
        #expect(pool.idleCount == 2)
    }

    @Test("a parser whose buffers exceed the limit is released")
    func grown() throws {
        let isRead = try pool.withParser {
            try parse("[\(String(repeating: " ", count: 998))]", with: $0)
        }
        #expect(isRead)
        #expect(pool.idleCount == 1)
        _ = try pool.withParser { try parse("[\(String(repeating: " ", count: 999))]", with: $0) }
        #expect(pool.idleCount == 0)
    }

    @Test("a parser is returned after an error and reads the next text")
    func failure() throws {
        #expect(throws: CancellationError.self) {
            try pool.withParser { parser in
                #expect(try !parse("[1", with: parser))
                throw CancellationError()
            }
        }
        #expect(pool.idleCount == 1)
        #expect(try pool.withParser { try parse("[1]", with: $0) })
    }

    @Test("many threads read their own texts at the same time")
    func threads() async throws {
        let serializer = JSONResponseSerializer()
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<200 {
                        let texts = (0...(round % 40)).map { "\(task) of \(round), item \($0)" }
                        let body = try JSONEncoder().encode(texts)
                        let value = try serializer.serialize(body, head: nil)
                        if value as? [String] != texts { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
