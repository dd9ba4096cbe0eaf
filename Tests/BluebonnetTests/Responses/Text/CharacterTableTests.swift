import Foundation
import Testing

@testable import Bluebonnet

@Suite("CharacterTable")
struct CharacterTableTests {
    @Test("a pair that begins with an ASCII byte is not a character in any encoding")
    func asciiLeads() throws {
        for encoding: String.Encoding in [.eucKR, .shiftJIS, .big5, .macOSRoman] {
            let table = try #require(CharacterTable.of(encoding))
            for lead: UInt8 in [0, 0x41, 0x7F] {
                #expect(table[lead, 0x41] == nil)
                #expect(table[lead, 0xFF] == nil)
            }
        }
        #expect(try #require(CharacterTable.of(.eucKR))[0xB0, 0xA1] == "가")
    }
}
