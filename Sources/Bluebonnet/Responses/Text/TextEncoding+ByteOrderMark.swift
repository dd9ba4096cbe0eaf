import Foundation

extension TextEncoding {
    /// A mark at the start of a text that identifies its encoding.
    struct ByteOrderMark {
        let encoding: String.Encoding
        let name: String
        let length: Int

        /// Finds the byte order mark of a text; nil if there is none.
        ///
        /// A mark of UTF-32 is recognized only if the charset is UTF-32, since the little-endian
        /// one begins like that of UTF-16.
        init?(of data: Data, charset: String?) {
            let isUTF32 = charset.flatMap { TextEncoding.named($0) }?.isUTF32 ?? false
            if isUTF32, data.starts(with: [0, 0, 0xFE, 0xFF]) {
                (encoding, name, length) = (.utf32BigEndian, "UTF-32", 4)
            } else if isUTF32, data.starts(with: [0xFF, 0xFE, 0, 0]) {
                (encoding, name, length) = (.utf32LittleEndian, "UTF-32", 4)
            } else if data.starts(with: [0xEF, 0xBB, 0xBF]) {
                (encoding, name, length) = (.utf8, "UTF-8", 3)
            } else if data.starts(with: [0xFF, 0xFE]) {
                (encoding, name, length) = (.utf16LittleEndian, "UTF-16", 2)
            } else if data.starts(with: [0xFE, 0xFF]) {
                (encoding, name, length) = (.utf16BigEndian, "UTF-16", 2)
            } else {
                return nil
            }
        }
    }
}

extension String.Encoding {
    fileprivate var isUTF32: Bool { self == .utf32BigEndian || self == .utf32LittleEndian }
}
