import Bluebonnet

extension URLEncodedFormEncoder {
    /// How names are spelled.
    ///
    /// The spelling is applied to the whole path of a value, such as `outer[inner][]`.
    public enum KeyEncoding: Sendable {
        /// As they are.
        case useDefaultKeys
        /// As lowercase words joined by `_`: `myURLProperty` is `my_url_property`.
        ///
        /// A word starts at an uppercase letter after a character that is not uppercase, and at the
        /// last of several uppercase letters before a lowercase letter. The first character counts
        /// as lowercase, so `URLString` is `u_rl_string`.
        case convertToSnakeCase
        /// As lowercase words joined by `-`: `myURLProperty` is `my-url-property`.
        ///
        /// The words are the same as for ``convertToSnakeCase``.
        case convertToKebabCase
        /// With an uppercase first letter: `outer[inner]` is `Outer[inner]`.
        case capitalized
        /// In uppercase.
        case uppercased
        /// In lowercase.
        case lowercased
        /// As the text that a closure returns.
        case custom(@Sendable (String) -> String)

        func spelling(of key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(of: key, joinedBy: "_")
            case .convertToKebabCase: Self.words(of: key, joinedBy: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encoding): encoding(key)
            }
        }

        private static func words(of key: String, joinedBy separator: Character) -> String {
            ParameterKeyEncoding.words(of: key, joinedBy: separator, beginning: beginsWord)
        }

        private static func beginsWord(_ characters: [Character], at index: Int) -> Bool {
            guard index > 0, characters[index].isUppercase else { return false }
            guard index > 1, characters[index - 1].isUppercase else { return true }
            return index + 1 < characters.count && characters[index + 1].isLowercase
        }
    }

    /// How the key of a value in a nested object is appended to the path of the object.
    public struct KeyPathEncoding: Sendable {
        /// In brackets: `outer[inner]`.
        public static let brackets = KeyPathEncoding { "[\($0)]" }
        /// After a dot: `outer.inner`.
        public static let dots = KeyPathEncoding { ".\($0)" }

        let suffix: @Sendable (String) -> String

        /// Creates an encoding from a closure that returns the path suffix for a nested key.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) {
            suffix = encoding
        }
    }
}
