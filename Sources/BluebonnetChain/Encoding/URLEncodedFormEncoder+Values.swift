public import Bluebonnet

extension URLEncodedFormEncoder {
    /// How the elements of an array are named.
    public enum ArrayEncoding: Sendable {
        /// By empty brackets: `key[]`.
        case brackets
        /// By the key alone: `key`.
        case noBrackets
        /// By their index in brackets: `key[0]`.
        case indexInBrackets
        /// By the text that a closure returns for the array's key and the index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        var style: QueryEncoding.ArrayStyle {
            switch self {
            case .brackets: .brackets
            case .noBrackets: .none
            case .indexInBrackets: .indices
            case .custom(let encoding): .custom(encoding)
            }
        }
    }

    /// How a `Bool` is written: as `1` or `0` (`.numeric`), or as `true` or `false` (`.literal`).
    public typealias BoolEncoding = QueryEncoding.BooleanStyle

    /// How data is written.
    public enum DataEncoding: Sendable {
        /// As an array of its bytes, each a decimal number.
        case deferredToData
        /// As base64 with padding (RFC 4648 section 4).
        case base64
        /// As the text that a closure returns; an error that it throws fails the encoding.
        case custom(@Sendable (Data) throws -> String)

        func tree(of data: Data) throws -> ParameterTree {
            switch self {
            case .deferredToData: .array(data.map { .value(.integer($0)) })
            case .base64: .value(.data(data))
            case .custom(let encoding): .value(.string(try encoding(data)))
            }
        }
    }

    /// How a date is written.
    ///
    /// As text, a date outside the years 0 to 506713 is an error. An infinite date is an error in
    /// every style.
    public enum DateEncoding: Sendable {
        /// As the number of seconds since 2001, such as `123.456`.
        case deferredToDate
        /// As the number of seconds since 1970, such as `978307323.456`.
        case secondsSince1970
        /// As the number of milliseconds since 1970, such as `978307323456.0`.
        case millisecondsSince1970
        /// As text in UTC, rounded down to the second: `2026-03-09T18:05:00Z` (RFC 3339).
        case iso8601
        /// As the text of a formatter, which must not be changed later.
        case formatted(DateFormatter)
        /// As the text that a closure returns; an error that it throws fails the encoding.
        case custom(@Sendable (Date) throws -> String)

        func tree(of date: Date) throws -> ParameterTree {
            switch self {
            case .deferredToDate: .number(date.timeIntervalSinceReferenceDate)
            case .secondsSince1970: .number(date.timeIntervalSince1970)
            case .millisecondsSince1970: .number(date.timeIntervalSince1970 * 1000)
            case .iso8601: .value(.date(date))
            case .formatted(let formatter):
                .refused(TimestampText.objection(to: date))
                    ?? .value(.string(formatter.string(from: date)))
            case .custom(let encoding): .value(.string(try encoding(date)))
            }
        }
    }

    /// How nil is written.
    public struct NilEncoding: Sendable {
        /// As nothing: the key is omitted.
        public static let dropKey = NilEncoding { nil }
        /// As an empty value: `key=`.
        public static let dropValue = NilEncoding { "" }
        /// As the word `null`: `key=null`.
        public static let null = NilEncoding { "null" }

        let text: @Sendable () -> String?

        /// Creates an encoding from a closure that returns the text, or nil to omit the key.
        public init(encoding: @escaping @Sendable () -> String?) {
            text = encoding
        }
    }

    /// How a space is written.
    ///
    /// A `+` is written as `%2B` unless ``URLEncodedFormEncoder/allowedCharacters`` contains it.
    public enum SpaceEncoding: Sendable, Hashable {
        /// As `%20`.
        case percentEscaped
        /// As `+`, as HTML forms do.
        case plusReplaced
    }
}

extension ParameterTree {
    fileprivate static func number(_ number: Double) -> ParameterTree {
        refused(ParameterValue.floating(number).objection) ?? .value(.string("\(number)"))
    }

    fileprivate static func refused(_ reason: String?) -> ParameterTree? {
        reason.map { .invalid(RequestSerializationError(reason: $0)) }
    }
}
