import Foundation

extension String.Encoding {
    static let big5 = Self(number: 0x0A06)
    static let eucKR = Self(number: 0x0422)
    static let gb18030 = Self(number: 0x0632)
    /// Mac OS Roman; on Linux, Foundation's `macOSRoman` is another encoding.
    static let macRoman = Self(number: 0)
    static let windows31J = Self(number: 0x0420)
    static let iso2022JP2 = Self(number: 0x0821)

    /// Creates an encoding without a name in Foundation from its number in Core Foundation.
    fileprivate init(number: UInt) { self.init(rawValue: 0x8000_0000 | number) }
}

extension TextEncoding {
    /// Returns the encoding of a content type's charset in lowercase; nil if it is unknown.
    static func named(_ charset: String) -> String.Encoding? { encodings[charset] }

    /// The encodings whose characters are single bytes, except ISO-8859-1 and ASCII.
    static let singleByteEncodings = Set(singleByte.map(\.encoding))

    /// The encodings by their labels.
    static let encodings: [String: String.Encoding] = {
        var encodings: [String: String.Encoding] = [:]
        for (encoding, labels) in unicode + singleByte + multipleByte {
            for label in labels.split(separator: " ") { encodings[String(label)] = encoding }
        }
        return encodings
    }()

    private typealias Entry = (encoding: String.Encoding, labels: String)

    private static let unicode: [Entry] = [
        (.utf8, "utf-8 utf8 unicode-1-1-utf-8"),
        (.isoLatin1, isoLabels(1) + " latin1 latin-1 l1 csisolatin1 iso-ir-100 cp819 ibm819"),
        (.ascii, "us-ascii ascii ansi_x3.4-1968 iso646-us csascii iso-ir-6"),
        // UTF-16 and UTF-32 without a byte order mark are big-endian, by RFC 2781 and by Unicode.
        (.utf16BigEndian, "utf-16 utf16 utf-16be"), (.utf16LittleEndian, "utf-16le"),
        (.utf32BigEndian, "utf-32 utf32 utf-32be"), (.utf32LittleEndian, "utf-32le"),
    ]

    private static let singleByte: [Entry] = [
        (.isoLatin2, isoLabels(2) + " latin2 latin-2 l2 csisolatin2 iso-ir-101"),
        (iso8859(3), isoLabels(3) + " latin3 latin-3 l3 csisolatin3 iso-ir-109"),
        (iso8859(4), isoLabels(4) + " latin4 latin-4 l4 csisolatin4 iso-ir-110"),
        (iso8859(5), isoLabels(5) + " cyrillic csisolatincyrillic iso-ir-144"),
        (iso8859(6), isoLabels(6) + " arabic asmo-708 ecma-114 csisolatinarabic iso-ir-127"),
        (iso8859(7), isoLabels(7) + " greek greek8 ecma-118 elot_928 csisolatingreek iso-ir-126"),
        (iso8859(8), isoLabels(8) + " iso-8859-8-i logical hebrew csisolatinhebrew iso-ir-138"),
        (iso8859(9), isoLabels(9) + " latin5 latin-5 l5 csisolatin5 iso-ir-148"),
        (iso8859(10), isoLabels(10) + " latin6 latin-6 l6 csisolatin6 iso-ir-157"),
        (iso8859(11), isoLabels(11) + " tis-620 tis620"),
        (iso8859(13), isoLabels(13) + " latin7 latin-7 l7"),
        (iso8859(14), isoLabels(14) + " latin8 latin-8 l8"),
        (iso8859(15), isoLabels(15) + " latin9 latin-9 l9 csisolatin9"),
        (iso8859(16), isoLabels(16) + " latin10 latin-10 l10"),
        (.windowsCP1250, windowsLabels(1250)), (.windowsCP1251, windowsLabels(1251)),
        (.windowsCP1252, windowsLabels(1252)), (.windowsCP1253, windowsLabels(1253)),
        (.windowsCP1254, windowsLabels(1254)), (windows(1255), windowsLabels(1255)),
        (windows(1256), windowsLabels(1256)), (windows(1257), windowsLabels(1257)),
        (windows(1258), windowsLabels(1258)),
        (.init(number: 0x041D), "windows-874 cp874 dos-874"),
        (.init(number: 0x041B), "ibm866 cp866 866 csibm866"),
        (.init(number: 0x0A02), "koi8-r koi8_r koi8 koi cskoi8r"),
        (.init(number: 0x0A08), "koi8-u koi8-ru"),
        (.macRoman, "macintosh mac x-mac-roman csmacintosh"),
        (.init(number: 7), "x-mac-cyrillic x-mac-ukrainian"),
    ]

    /// As in browsers (WHATWG), GB 18030 also reads its subsets, and Big5 includes Hong Kong's
    /// characters.
    private static let multipleByte: [Entry] = [
        (.shiftJIS, "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j cp932 csshiftjis"),
        (.japaneseEUC, "euc-jp eucjp x-euc-jp cseucpkdfmtjapanese"),
        (
            .eucKR,
            "euc-kr euckr cseuckr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
                + "csksc56011987 iso-ir-149 windows-949 cp949 uhc"
        ),
        (
            .gb18030,
            "gb18030 gbk x-gbk cp936 windows-936 gb2312 gb_2312 gb_2312-80 euc-cn chinese "
                + "csgb2312 csiso58gb231280 iso-ir-58"
        ),
        (.big5, "big5 big5-hkscs cn-big5 x-x-big5 csbig5"),
    ]

    private static func isoLabels(_ part: Int) -> String {
        "iso-8859-\(part) iso8859-\(part) iso8859\(part) iso_8859-\(part)"
    }

    private static func windowsLabels(_ page: Int) -> String {
        "windows-\(page) cp\(page) x-cp\(page)"
    }

    private static func iso8859(_ part: UInt) -> String.Encoding { .init(number: 0x0200 + part) }

    private static func windows(_ page: UInt) -> String.Encoding {
        .init(number: 0x0500 + page - 1250)
    }
}
