public import Foundation

/// An encoder that writes parameters as the JSON of a body.
///
/// The same parameters always give the same bytes: keys are sorted, and there is no whitespace by
/// default. Values are written as follows:
///
/// - Integers of every type and `Decimal` are exact.
/// - Floating-point numbers have the fewest digits that read back as the same value, and `1.0` is
///   `1`.
/// - `Bool` is `true` or `false`, including in an `NSNumber`.
/// - `NSNull` and nil are `null`.
/// - A `URL` is its absolute string.
/// - A `Set` is an error, because JSON has no sets.
///
/// ```swift
/// api.json.encoder.keys = .snakeCase
/// api.json.encoder.dates = .iso8601WithFractionalSeconds
/// ```
public struct JSONBodyEncoder: Sendable {
    /// Options for the format of the text.
    public struct WritingOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Writes one member or element per line, indented by two spaces per level.
        public static let prettyPrinted = WritingOptions(rawValue: 1 << 0)
        /// Escapes every `/` as `\/`, so that the text can be embedded in an HTML script.
        public static let escapedSlashes = WritingOptions(rawValue: 1 << 1)
        /// Escapes all characters beyond ASCII as `\u` and UTF-16, for readers without UTF-8.
        public static let escapedNonASCII = WritingOptions(rawValue: 1 << 2)
    }

    /// The format of dates; ISO 8601 in UTC, to the second, by default.
    public var dates = ParameterDateEncoding.iso8601

    /// The format of data; base64 by default.
    public var data = ParameterDataEncoding.base64

    /// The spelling of a type's coding keys; unchanged by default.
    ///
    /// The keys of dictionaries, including those of literals, are data and stay unchanged.
    public var keys = ParameterKeyEncoding.unchanged

    /// Options for the format of the text; none by default.
    public var writingOptions: WritingOptions

    /// Creates an encoder with writing options, and with defaults for all other settings.
    ///
    /// - Parameter writingOptions: Options for the format of the text, such as `.prettyPrinted`. The
    ///   default is none.
    public init(writingOptions: WritingOptions = []) {
        self.writingOptions = writingOptions
    }

    /// Returns the JSON text of parameters.
    ///
    /// - Parameter parameters: The parameters, which become an object or an array.
    /// - Returns: The JSON text in UTF-8.
    /// - Throws: A ``RequestSerializationError`` with the key path of the first value that JSON
    ///   cannot represent.
    public func data(of parameters: Parameters) throws(RequestSerializationError) -> Data {
        let value = try ParameterWalk.value(of: parameters, for: .json, in: style)
        return JSONWriter.data(of: value, options: writingOptions)
    }

    /// Returns the JSON text of any tree, which can be a single value.
    package func data(ofFragment tree: ParameterTree) throws(RequestSerializationError) -> Data {
        let value = try ParameterWalk.value(of: tree, in: style, depth: 0)
        return JSONWriter.data(of: value, options: writingOptions)
    }

    /// Returns the JSON text of an encodable value, which must encode an object or an array.
    ///
    /// ```swift
    /// let body = try api.json.encoder.data(encoding: draft)
    /// ```
    ///
    /// The text is that of ``Parameters/init(encoding:)``, but the value is not copied first.
    ///
    /// - Parameter value: The value, which must encode an object or an array.
    /// - Returns: The JSON text in UTF-8.
    /// - Throws: An error from the value's own `encode(to:)`, or a ``RequestSerializationError``
    ///   with the key path of a value that cannot be sent. A single value without an object or
    ///   array around it cannot be sent.
    public func data(encoding value: some Encodable) throws -> Data {
        guard let data = try presentData(encoding: value) else {
            throw RequestSerializationError(
                reason: ParameterFormat.json.objection(toRoot: .null) ?? "")
        }
        return data
    }

    /// Returns the JSON text of an encodable value, or nil for null.
    func presentData(encoding value: some Encodable) throws -> Data? {
        try JSONFragment.data(of: value, style, writingOptions)
    }

    private var style: ParameterStyle { ParameterStyle(dates: dates, data: data, keys: keys) }
}
