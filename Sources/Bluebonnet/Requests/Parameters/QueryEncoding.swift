/// How parameters become the query of a URL or the body of a form.
///
/// ```swift
/// var serializer = HTTPRequestSerializer()
/// serializer.queryEncoding.arrays = .indices
/// serializer.queryEncoding.keys = .snakeCase
/// // ["userIDs": [7, 9]]: user_ids%5B0%5D=7&user_ids%5B1%5D=9
/// ```
///
/// A key inside of a dictionary is `outer[inner]`. The pairs of every dictionary are in the order
/// of their keys unless ``sortsKeys`` is false, so that the same parameters always give the same bytes.
/// The members of a `Set`
/// repeat the name whatever the style of arrays, sorted by their text. Empty arrays, sets and
/// dictionaries leave nothing behind.
///
/// Numbers are exact and have as few digits as that takes: `1.0` is `1`, `0.1` is `0.1`, and an
/// integer of any size has all its digits. Names and values are percent-escaped (RFC 3986): all but
/// letters, digits and `-._~/?`, also a `%`.
public struct QueryEncoding: Sendable {
    /// How elements of arrays are named; `name[]` by default.
    public var arrays = ArrayStyle.brackets
    /// How a `Bool` is written; `1` or `0` by default.
    public var booleans = BooleanStyle.numeric
    /// How dates are written; as ISO 8601 in UTC by default, rounded down to the second.
    ///
    /// The other styles keep a fraction: ``ParameterDateEncoding/iso8601WithFractionalSeconds`` to the
    /// millisecond, the numbers to the microsecond.
    public var dates = ParameterDateEncoding.iso8601
    /// How data is written; as base64 by default.
    public var data = ParameterDataEncoding.base64
    /// How the keys of dictionaries are spelled; as they are by default.
    public var keys = KeyStyle.unchanged
    /// Whether pairs are in the order of their keys, at every level; default true.
    ///
    /// With false they are in the order that they were given in: that of a literal of ``Parameters``, and
    /// that in which a type encodes its properties. A dictionary has no order, so its keys are sorted.
    public var sortsKeys = true
    /// How nil and `NSNull` are written; as a name without `=` by default.
    public var nulls = NullStyle.nameOnly
    /// How a space is escaped; as `%20` by default.
    public var spaces = SpaceStyle.percent

    /// Makes an encoding with every default, which is that of AFNetworking.
    public init() {}

    /// A text with all of its UTF-8 bytes percent-escaped but letters, digits and `-._~/?`.
    ///
    /// That is what ``HTTPRequestSerializer/queryString`` must do to names and values. A `%` is
    /// escaped too, so text that was escaped before is escaped again.
    public static func escaped(_ text: String) -> String {
        PercentEncoding.escaped(text)
    }

    /// The parameters as pairs, joined by `&`, in UTF-8.
    ///
    /// - Throws: A ``RequestSerializationError`` that names the parameter which cannot be sent.
    public func string(of parameters: Parameters) throws(RequestSerializationError) -> String {
        try string(of: parameters, in: .utf8)
    }
}
