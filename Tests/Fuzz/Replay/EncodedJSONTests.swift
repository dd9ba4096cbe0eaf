import BluebonnetTestSupport
import Testing

@Suite("Encoded JSON compared with parameters")
struct EncodedJSONTests {
    @Test("random values and their parameters have the same JSON or fail alike", arguments: 0..<8)
    func random(part: UInt64) {
        var random = SeededGenerator(seed: 0xE39 &+ part)
        for _ in 0..<1000 {
            let count = Int.random(in: 4..<200, using: &random)
            let input = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(throws: Never.self, "\(input)") { try EncodedJSONProperty.check(input) }
        }
    }
}
