public import Foundation

/// How parameters become the JSON of a body.
///
/// The same parameters always give the same bytes: keys are sorted, and there is no white space.
///
/// Integers of every type and `Decimal` are exact; floating-point numbers have the fewest digits
/// that read back as the same value, and `1.0` is `1`. `Bool` is `true` or `false`, also inside of
/// an `NSNumber`; `NSNull` and nil are `null`. A `URL` is its absolute string. A `Set` is an error,
/// because JSON has none.
///
/// ```swift
/// api.json.encoder.keys = .snakeCase
/// api.json.encoder.dates = .iso8601WithFractionalSeconds
/// ```
public struct JSONBodyEncoder: Sendable {
    /// How the text is written, beyond what its values ask for.
    public struct WritingOptions: OptionSet, Sendable {
        /// One bit for each option.
        public let rawValue: Int

        /// Makes options of their bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// One member a line, indented by two spaces.
        public static let prettyPrinted = WritingOptions(rawValue: 1 << 0)
        /// Every `/` as `\/`, so that the text can stand in an HTML script.
        public static let escapedSlashes = WritingOptions(rawValue: 1 << 1)
        /// Everything but ASCII as `\u` and UTF-16, for readers that do not know UTF-8.
        public static let escapedNonASCII = WritingOptions(rawValue: 1 << 2)
    }

    /// How dates are written; as ISO 8601 in UTC, to the second, by default.
    public var dates = ParameterDateEncoding.iso8601

    /// How data is written; as base64 by default.
    public var data = ParameterDataEncoding.base64

    /// How the coding keys of types are spelled; as they are by default.
    ///
    /// Keys of dictionaries, those of a literal among them, are data and stay as they are.
    public var keys = ParameterKeyEncoding.unchanged

    /// How the text is written; no options by default.
    public var writingOptions: WritingOptions

    /// Makes an encoder with every default.
    public init(writingOptions: WritingOptions = []) {
        self.writingOptions = writingOptions
    }

    /// The text of parameters.
    ///
    /// - Throws: An error with the key path of the first value that JSON cannot hold.
    public func data(of parameters: Parameters) throws(RequestSerializationError) -> Data {
        let value = try ParameterWalk.value(of: parameters, for: .json, in: style)
        return JSONWriter.data(of: value, options: writingOptions)
    }

    /// The text of what a value encodes: an object, as a rule, or an array.
    ///
    /// ```swift
    /// let body = try api.json.encoder.data(encoding: draft)
    /// ```
    ///
    /// It is the text that ``Parameters/init(encoding:)`` would make of it, without a copy of the value in between.
    ///
    /// - Throws: What the value's own `encode(to:)` throws, or a ``RequestSerializationError`` with the key
    ///   path of what cannot be sent, that of a single value among them.
    public func data(encoding value: some Encodable) throws -> Data {
        guard let data = try presentData(encoding: value) else {
            throw RequestSerializationError(
                reason: ParameterFormat.json.objection(toRoot: .null) ?? "")
        }
        return data
    }

    /// The text of what a value encodes; nil for null.
    func presentData(encoding value: some Encodable) throws -> Data? {
        try JSONFragment.data(of: value, style, writingOptions)
    }

    private var style: ParameterStyle { ParameterStyle(dates: dates, data: data, keys: keys) }
}
