public import Bluebonnet

/// Encodes values as forms (`application/x-www-form-urlencoded`), such as `name=Ann&tags%5B%5D=a`.
///
/// ```swift
/// let encoder = URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase)
/// let form: String = try encoder.encode(Search(searchText: "a b"))
/// // search_text=a%20b
/// ```
///
/// The outermost value must be a dictionary or a type with coding keys, because other values have
/// no names. Numbers are written as Swift prints them, so `1.0` keeps its fraction. A `URL` is
/// written as its absolute string. Empty arrays and dictionaries are omitted, and omitted elements
/// take no index. The elements of a `Set` are sorted. Inherited properties are written at the same
/// level as those of the subclass.
///
/// Names and values are percent-escaped UTF-8 (RFC 3986 section 2.1). An encoder may be used on
/// several threads at once.
public final class URLEncodedFormEncoder: Sendable {
    /// An error of the encoder.
    public enum Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The outermost value has no names; the associated value is its kind, such as `an array`.
        case invalidRootObject(String)

        /// What is wrong and what to do.
        public var description: String {
            switch self {
            case .invalidRootObject(let kind):
                "\(kind) has no names, and a form needs one for each value; put it into a dictionary"
            }
        }
    }

    /// Whether the members of every object are sorted; default true.
    ///
    /// The complete segments are compared: `a1=2` comes before `a=1`, because `1` sorts before `=`.
    /// Array elements keep their order. If the value is false, properties keep the order in which
    /// they are encoded, and dictionaries are sorted by key.
    public let alphabetizeKeyValuePairs: Bool
    /// How the elements of an array are named; by default `key[]`.
    public let arrayEncoding: ArrayEncoding
    /// How a `Bool` is written; by default `1` or `0`.
    public let boolEncoding: BoolEncoding
    /// How data is written; by default as base64.
    public let dataEncoding: DataEncoding
    /// How dates are written; by default as seconds since 2001.
    public let dateEncoding: DateEncoding
    /// How names are spelled; by default as they are.
    public let keyEncoding: KeyEncoding
    /// How the keys of nested objects are joined; by default `outer[inner]`.
    public let keyPathEncoding: KeyPathEncoding
    /// How nil is written; by default not at all.
    public let nilEncoding: NilEncoding
    /// How a space is written; by default `%20`.
    public let spaceEncoding: SpaceEncoding
    /// The characters that are not escaped; by default letters, digits and `-._~/?`.
    ///
    /// Non-ASCII characters are always escaped. ``spaceEncoding`` determines how a space is
    /// written.
    public let allowedCharacters: CharacterSet

    /// The writer with these settings, except for values, which are replaced by their text before.
    private let query: QueryEncoding

    /// Creates an encoder; the properties describe the parameters and their defaults.
    public init(
        alphabetizeKeyValuePairs: Bool = true,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets,
        nilEncoding: NilEncoding = .dropKey,
        spaceEncoding: SpaceEncoding = .percentEscaped,
        allowedCharacters: CharacterSet = .afURLQueryAllowed
    ) {
        self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dataEncoding = dataEncoding
        self.dateEncoding = dateEncoding
        self.keyEncoding = keyEncoding
        self.keyPathEncoding = keyPathEncoding
        self.nilEncoding = nilEncoding
        self.spaceEncoding = spaceEncoding
        self.allowedCharacters = allowedCharacters
        var query = QueryEncoding()
        query.arrays = arrayEncoding.style
        query.booleans = boolEncoding
        query.nulls = .omitted
        query.spaces = spaceEncoding == .plusReplaced ? .plus : .percent
        query.sortsKeys = false
        query.sortsTexts = alphabetizeKeyValuePairs
        query.nestedKeys = keyPathEncoding.suffix
        query.names = .custom(keyEncoding.spelling)
        query.unescaped = UnescapedCharacters(allowedCharacters)
        self.query = query
    }

    /// Returns the form of a value; the form of nil or an empty value is empty.
    ///
    /// - Parameter value: The value, such as a struct or a dictionary.
    /// - Returns: The form, percent-encoded.
    /// - Throws: ``Error/invalidRootObject(_:)`` for an array, a set or a single value. A
    ///   ``/Bluebonnet/RequestSerializationError`` with the key path of a number that is not
    ///   finite, of a date that ``dateEncoding`` cannot write, of a dictionary whose keys are not
    ///   encoded as strings, or of a value nested in more than 128 containers. Any error of a
    ///   custom encoding or of the value's `encode(to:)`.
    public func encode(_ value: any Encodable) throws -> String {
        let tree = try ParameterTree(
            encoding: value,
            options: ParameterTreeEncoder.Options(
                keepsNil: true, inheritsInPlace: true, replacesContainers: true))
        if let fault = tree.fault() { throw fault }
        switch tree {
        case .dictionary, .object: return try query.string(of: Parameters(tree: written(tree)))
        case .value(.null): return ""
        case .array(let elements) where elements.isEmpty: return ""
        case .set(let elements) where elements.isEmpty: return ""
        case .array: throw Error.invalidRootObject("an array")
        case .set: throw Error.invalidRootObject("a set")
        case .value, .invalid: throw Error.invalidRootObject("a single value")
        }
    }

    /// Returns the form of a value as UTF-8; the form of nil or an empty value is empty.
    ///
    /// - Parameter value: The value, such as a struct or a dictionary.
    /// - Returns: The form, percent-encoded.
    /// - Throws: The same errors as the method that returns a string.
    public func encode(_ value: any Encodable) throws -> Data {
        let form: String = try encode(value)
        return Data(form.utf8)
    }

    /// Returns a tree with the texts of values that the encoder writes in its own way.
    private func written(_ tree: ParameterTree) throws -> ParameterTree {
        switch tree {
        case .array(let elements): .array(try elements.map(written))
        case .set(let elements): .array(sorted(try elements.map(written)))
        case .dictionary(let members), .object(let members):
            .dictionary(try members.mapValues(written))
        case .value(.null): nilEncoding.text().map { .value(.string($0)) } ?? tree
        case .value(.floating(_, let digits)):
            // Swift prints `.0` after a whole number.
            .value(.string(digits.allSatisfy("-0123456789".contains) ? digits + ".0" : digits))
        case .value(.date(let date)): try dateEncoding.tree(of: date)
        case .value(.data(let data)): try dataEncoding.tree(of: data)
        case .value, .invalid: tree
        }
    }

    /// Returns the elements of a set in an order that does not depend on the process.
    private func sorted(_ elements: [ParameterTree]) -> [ParameterTree] {
        elements.map { element in
            let members = ParameterMembers(["": element])
            // An error is found again, with its place, when the form is written.
            let text = try? query.string(of: Parameters(tree: .dictionary(members)))
            return (element, text ?? "")
        }
        .sorted { $0.1 < $1.1 }
        .map(\.0)
    }
}
