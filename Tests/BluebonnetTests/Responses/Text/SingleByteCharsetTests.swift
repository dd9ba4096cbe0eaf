import Bluebonnet
import Foundation
import Testing

@Suite("Single-byte character sets")
struct SingleByteCharsetTests {
    /// The bytes from 0x80 on in Python's codecs, with `?` for none.
    private static let tables = [
        "iso-8859-2": (
            String(String.UnicodeScalarView((0x80..<0xA0).map { Unicode.Scalar(UInt8($0)) })),
            "\u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ",
            "ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"
        ),
        "windows-1250": (
            "€?‚?„…†‡?‰Š‹ŚŤŽŹ?‘’“”•–—?™š›śťžź",
            "\u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ",
            "ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"
        ),
        "windows-1251": (
            "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—?™љ›њќћџ",
            "\u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕїАБВГДЕЖЗИЙКЛМНОП",
            "РСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя"
        ),
        "windows-1252": (
            "€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ",
            "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ",
            "ÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"
        ),
        "windows-1253": (
            "€?‚ƒ„…†‡?‰?‹?????‘’“”•–—?™?›????",
            "\u{A0}΅Ά£¤¥¦§¨©?«¬\u{AD}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ",
            "ΠΡ?ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ?"
        ),
        "windows-1254": (
            "€?‚ƒ„…†‡ˆ‰Š‹Œ????‘’“”•–—˜™š›œ??Ÿ",
            "\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ",
            "ĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ"
        ),
    ]

    @Test(
        "every byte is its character, its control character, or refused",
        arguments: tables.keys.sorted())
    func bytes(charset: String) throws {
        let (controls, first, second) = try #require(Self.tables[charset])
        let expected = Array((controls + first + second).unicodeScalars)
        try #require(expected.count == 128)
        let url = try #require(URL(string: "http://example.test/"))
        let head = ResponseHead(
            statusCode: 200, headers: ["Content-Type": "text/plain; charset=\(charset)"], url: url)
        for byte in UInt8.min...(.max) {
            let text = try? StringResponseSerializer().serialize(Data([byte]), head: head)
            if byte < 0x80 {
                #expect(text == String(Unicode.Scalar(byte)))
                continue
            }
            let scalar = expected[Int(byte) - 0x80]
            if scalar != "?" {
                #expect(text == String(scalar), "byte \(byte)")
            } else {
                // As in browsers (WHATWG), an unassigned byte can be a control character.
                let isControl = byte < 0xA0 && text == String(Unicode.Scalar(byte))
                #expect(text == nil || isControl, "byte \(byte) is \(text ?? "")")
            }
        }
    }

    @Test(
        "incomplete or invalid multibyte characters are refused",
        arguments: [
            ("shift_jis", [0x82]), ("shift_jis", [0x61, 0x82]), ("shift_jis", [0xFD]),
            ("shift_jis", [0x81, 0x20]), ("euc-jp", [0xC6]), ("euc-jp", [0xC6, 0x41]),
            ("euc-jp", [0xFF]), ("euc-jp", [0x8F, 0xA2]),
        ] as [(String, [UInt8])])
    func cut(charset: String, bytes: [UInt8]) throws {
        let url = try #require(URL(string: "http://example.test/"))
        let head = ResponseHead(
            statusCode: 200, headers: ["Content-Type": "text/plain; charset=\(charset)"], url: url)
        #expect(throws: (any Error).self) {
            try StringResponseSerializer().serialize(Data(bytes), head: head)
        }
    }
}
