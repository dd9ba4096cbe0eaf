extension QueryEncoding {
    /// The naming of array elements.
    public enum ArrayStyle: Sendable {
        /// Empty brackets: `list[]=a&list[]=b`.
        case brackets
        /// The name alone: `list=a&list=b`.
        case none
        /// The index among the elements that are sent: `list[0]=a&list[1]=b`.
        case indices
        /// The text that a closure returns for the name of the array and the index.
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

    /// The format of a `Bool`.
    public enum BooleanStyle: Sendable, Hashable {
        /// `1` or `0`.
        case numeric
        /// `true` or `false`.
        case literal
    }

    /// The format of nil and `NSNull`.
    public enum NullStyle: Sendable, Hashable {
        /// A name without `=`: `a`.
        case nameOnly
        /// An empty value: `a=`.
        case emptyValue
        /// The word `null`: `a=null`.
        case null
        /// Nothing is sent.
        case omitted
    }

    /// The escape for a space; a `+` is always `%2B`.
    public enum SpaceStyle: Sendable, Hashable {
        /// `%20`, which every reader accepts.
        case percent
        /// `+`, as sent by HTML forms.
        case plus
    }
}
