/// The format of parameters in the query of a URL or the body of a form.
///
/// ```swift
/// var serializer = HTTPRequestSerializer()
/// serializer.queryEncoding.arrays = .indices
/// serializer.queryEncoding.keys = .snakeCase
/// // ["userIDs": [7, 9]]: user_ids%5B0%5D=7&user_ids%5B1%5D=9
/// ```
///
/// A key in a nested dictionary becomes `outer[inner]`. Every dictionary is sorted by key unless
/// ``sortsKeys`` is false, so the same parameters always give the same bytes. The members of a
/// `Set` repeat the name, whatever the naming of array elements, and are sorted by their text.
/// Empty arrays, sets and dictionaries are not sent.
///
/// Numbers are exact, with as few digits as possible: `1.0` is `1`, `0.1` is `0.1`, and an integer
/// of any size keeps all its digits. Names and values are percent-escaped (RFC 3986), except for
/// letters, digits and `-._~/?`. A `%` is escaped too.
public struct QueryEncoding: Sendable {
    /// The naming of array elements; `name[]` by default.
    public var arrays = ArrayStyle.brackets
    /// The format of a `Bool`; `1` or `0` by default.
    public var booleans = BooleanStyle.numeric
    /// The format of dates; ISO 8601 in UTC, rounded down to the second, by default.
    ///
    /// The other formats keep fractions: ``ParameterDateEncoding/iso8601WithFractionalSeconds`` to
    /// the millisecond, and the numeric formats to the microsecond.
    public var dates = ParameterDateEncoding.iso8601
    /// The format of data; base64 by default.
    public var data = ParameterDataEncoding.base64
    /// The spelling of keys; unchanged by default.
    public var keys = KeyStyle.unchanged
    /// Whether pairs are sorted by key, at every level; true by default.
    ///
    /// If false, pairs keep the order of a ``Parameters`` literal, or the order in which a type
    /// encodes its properties. A dictionary has no order, so its keys are always sorted.
    public var sortsKeys = true
    /// The format of nil and `NSNull`; a name without `=` by default.
    public var nulls = NullStyle.nameOnly
    /// The escape for a space; `%20` by default.
    public var spaces = SpaceStyle.percent

    /// The suffix that a key of a nested dictionary adds to the outer name.
    package var nestedKeys: @Sendable (_ key: String) -> String = { "[\($0)]" }
    /// The spelling of complete names, such as `outer[inner][]`.
    package var names = KeyStyle.unchanged
    /// Whether the members of a dictionary are sorted by their escaped text instead of their key.
    package var sortsTexts = false
    /// The characters that are not escaped; nil means letters, digits and `-._~/?`.
    package var unescaped: UnescapedCharacters?

    /// Creates an encoding with default settings, which are those of AFNetworking.
    public init() {}

    /// Returns a text with all UTF-8 bytes percent-escaped except letters, digits and `-._~/?`.
    ///
    /// A ``HTTPRequestSerializer/queryString`` closure must escape names and values in this way. A
    /// `%` is escaped too, so escaped text is escaped again.
    public static func escaped(_ text: String) -> String {
        PercentEncoding.escaped(text)
    }

    /// Returns the parameters as pairs in UTF-8, joined by `&`.
    ///
    /// - Parameter parameters: The parameters, in order.
    /// - Returns: The query or form, percent-encoded and without a question mark.
    /// - Throws: A ``RequestSerializationError`` that names the parameter that cannot be sent.
    public func string(of parameters: Parameters) throws(RequestSerializationError) -> String {
        try string(of: parameters, in: .utf8)
    }
}
