extension QueryEncoding {
    /// How the elements of an array are named.
    public enum ArrayStyle: Sendable {
        /// By empty brackets: `list[]=a&list[]=b`.
        case brackets
        /// By the name alone: `list=a&list=b`.
        case none
        /// By their place among those that are sent: `list[0]=a&list[1]=b`.
        case indices
        /// By the text that a closure makes of the array's name and that place.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)

        func name(of index: Int, in name: String) -> String {
            switch self {
            case .brackets: "\(name)[]"
            case .none: name
            case .indices: "\(name)[\(index)]"
            case .custom(let text): text(name, index)
            }
        }
    }

    /// How a `Bool` is written.
    public enum BooleanStyle: Sendable, Hashable {
        /// As `1` or `0`.
        case numeric
        /// As `true` or `false`.
        case literal
    }

    /// How nil and `NSNull` are written.
    public enum NullStyle: Sendable, Hashable {
        /// As a name without `=`: `a`.
        case nameOnly
        /// As an empty value: `a=`.
        case emptyValue
        /// As the word: `a=null`.
        case null
        /// Not at all.
        case omitted
    }

    /// How a space is escaped; a `+` is always `%2B`.
    public enum SpaceStyle: Sendable, Hashable {
        /// As `%20`, which every reader knows.
        case percent
        /// As `+`, which HTML forms send.
        case plus
    }
}
