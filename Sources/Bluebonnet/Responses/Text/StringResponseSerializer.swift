public import Foundation

/// Makes a string of a text.
///
/// The encoding is that of a byte order mark (UTF-8 or UTF-16), else the `charset` of the content
/// type, else ``defaultEncoding``, else UTF-8 where the bytes are valid UTF-8 and ISO-8859-1 where
/// they are not. The byte order mark is no part of the string. Every content type is accepted by
/// default. An empty body gives an empty string.
///
/// A charset may be UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 to 16, windows-1250 to 1258 and 874,
/// IBM866, KOI8-R and KOI8-U, macintosh and x-mac-cyrillic, Shift_JIS, EUC-JP, EUC-KR, GB18030 with
/// GBK and GB2312, and Big5, by the labels of IANA and WHATWG in any case. UTF-16 and UTF-32 that say
/// their order neither in the charset nor by a mark are big-endian. Any other charset is an error.
public struct StringResponseSerializer: ResponseSerializer {
    /// Status codes of a success; nil accepts every status.
    public var acceptableStatusCodes: Set<Int>?
    /// Media types that the body may have; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The encoding of a body whose content type names none; nil guesses UTF-8 or ISO-8859-1.
    public var defaultEncoding: String.Encoding?
    /// The encoding of every body, whatever its content type says; nil, the default, goes by that.
    public var encoding: String.Encoding?
    private var options: BodyOptions?

    /// Makes a serializer that accepts the statuses of a success and every content type.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = nil,
        defaultEncoding: String.Encoding? = nil
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.defaultEncoding = defaultEncoding
    }

    /// Makes a serializer, in Alamofire's words.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body first.
    ///   - encoding: The encoding of every body, whatever its content type says; nil goes by that.
    ///   - emptyResponseCodes: Has no effect: an empty body is an empty string, whatever the status.
    ///   - emptyRequestMethods: Has no effect.
    @_disfavoredOverload
    public init(
        dataPreprocessor: any DataPreprocessor = .passthrough,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = .emptyResponseStatusCodes,
        emptyRequestMethods: Set<HTTPMethod> = .emptyResponseMethods
    ) {
        self.init()
        self.encoding = encoding
        options = BodyOptions(dataPreprocessor)
    }

    /// The text of the body.
    ///
    /// - Throws: ``ResponseSerializationError`` that names the encoding, when it is unknown or
    ///   the bytes are not in it; with the first such byte where that is known.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> String {
        if isEmptyBody(data, head: head) { return "" }
        let data = try options.preprocessed(data)
        if let encoding {
            return try decode(data, as: encoding, named: "the given encoding \(encoding)")
        }
        if let mark = TextEncoding.ByteOrderMark(of: data, charset: head?.charset) {
            let text = data.dropFirst(mark.length)
            let name = "the byte order mark's \(mark.name)"
            return try decode(text, as: mark.encoding, named: name, after: mark.length)
        }
        if let charset = head?.charset {
            guard let encoding = TextEncoding.named(charset) else {
                throw ResponseSerializationError(reason: "the charset \"\(charset)\" is unknown")
            }
            return try decode(data, as: encoding, named: "its charset \"\(charset)\"")
        }
        if let defaultEncoding {
            let name = "the default encoding \(defaultEncoding)"
            return try decode(data, as: defaultEncoding, named: name)
        }
        if let text = TextEncoding.decode(data, as: .utf8) { return text }
        return try decode(data, as: .isoLatin1, named: "ISO-8859-1")
    }

    private func decode(
        _ data: Data,
        as encoding: String.Encoding,
        named name: String,
        after skipped: Int = 0
    ) throws -> String {
        guard let text = TextEncoding.decode(data, as: encoding) else {
            // Counted from the body's start, of which a byte order mark is a part.
            let offset = TextEncoding.firstInvalidByte(of: data, in: encoding)
            let place = offset.map { ", at byte \($0 + skipped)" } ?? ""
            throw ResponseSerializationError(
                reason: "the bytes are not valid in \(name)\(place)", encoding: encoding)
        }
        return text
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// Makes a string of a text.
    public static var string: Self { Self() }
}
