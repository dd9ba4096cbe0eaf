public import Foundation

/// A serializer that decodes text into a string.
///
/// By default it accepts every content type. An empty body becomes an empty string. Unless
/// ``encoding`` is set, the encoding is the first of these:
///
/// - the encoding of a byte order mark (UTF-8 or UTF-16), which is not part of the string,
/// - the `charset` of the content type,
/// - ``defaultEncoding``,
/// - UTF-8 if the bytes are valid UTF-8, and ISO-8859-1 otherwise.
///
/// The supported charsets are UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 to 16, windows-1250 to
/// 1258 and 874, IBM866, KOI8-R and KOI8-U, macintosh and x-mac-cyrillic, Shift_JIS, EUC-JP,
/// EUC-KR, GB18030 with GBK and GB2312, and Big5. They are recognized by their IANA and WHATWG
/// labels, in any case. UTF-16 and UTF-32 are big-endian unless the charset or a byte order mark
/// specifies the order. Any other charset is an error.
public struct StringResponseSerializer: ResponseSerializer {
    /// The acceptable status codes; nil accepts every status code.
    public var acceptableStatusCodes: Set<Int>?
    /// The acceptable media types; nil accepts every type.
    public var acceptableContentTypes: Set<String>?
    /// The encoding of a body whose content type has no charset.
    ///
    /// If it is nil, the default, the encoding is UTF-8 or ISO-8859-1.
    public var defaultEncoding: String.Encoding?
    /// The encoding of every body, overriding its content type and byte order mark; default nil.
    public var encoding: String.Encoding?
    private var options: BodyOptions?

    /// Creates a serializer that by default accepts the status codes 200 to 299 and every content
    /// type.
    ///
    /// - Parameters:
    ///   - acceptableStatusCodes: The acceptable status codes. The default is 200 to 299; nil
    ///     accepts every status code.
    ///   - acceptableContentTypes: The acceptable media types, such as `text/plain`. Nil, the
    ///     default, accepts every type.
    ///   - defaultEncoding: The encoding of a body whose content type has no charset. If nil, the
    ///     default, it is UTF-8 or ISO-8859-1.
    public init(
        acceptableStatusCodes: Set<Int>? = .successStatusCodes,
        acceptableContentTypes: Set<String>? = nil,
        defaultEncoding: String.Encoding? = nil
    ) {
        self.acceptableStatusCodes = acceptableStatusCodes
        self.acceptableContentTypes = acceptableContentTypes
        self.defaultEncoding = defaultEncoding
    }

    /// Creates a serializer with Alamofire's parameters.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the body before it is decoded.
    ///   - encoding: The encoding of every body, overriding its content type; nil uses the content
    ///     type's.
    ///   - emptyResponseCodes: Has no effect: an empty body becomes an empty string with every
    ///     status code.
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

    /// Returns the text of the body.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The text; empty for an empty body.
    /// - Throws: A ``ResponseSerializationError`` that names the encoding if it is unknown or the
    ///   bytes are not valid in it, with the first invalid byte if that is known.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> String {
        if isEmptyBody(data, head: head) { return "" }
        let data = try options.preprocessed(data)
        if let encoding {
            return try decode(data, as: encoding, named: "the given encoding \(encoding)")
        }
        if let mark = TextEncoding.ByteOrderMark(of: data, charset: head?.charset) {
            let text = data.dropFirst(mark.length)
            let name = "\(mark.name) (from the byte order mark)"
            return try decode(text, as: mark.encoding, named: name, after: mark.length)
        }
        if let charset = head?.charset {
            guard let encoding = TextEncoding.named(charset) else {
                throw ResponseSerializationError(reason: "the charset \"\(charset)\" is unknown")
            }
            return try decode(data, as: encoding, named: "the charset \"\(charset)\"")
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
            // The offset is relative to the start of the body, including a byte order mark.
            let offset = TextEncoding.firstInvalidByte(of: data, in: encoding)
            let place = offset.map { ", at byte \($0 + skipped)" } ?? ""
            throw ResponseSerializationError(
                reason: "the bytes are not valid in \(name)\(place)", encoding: encoding)
        }
        return text
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// A serializer that decodes text into a string.
    public static var string: Self { Self() }
}
