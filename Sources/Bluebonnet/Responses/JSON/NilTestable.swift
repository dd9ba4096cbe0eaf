/// A value that can be checked for nil although its type is not known.
protocol NilTestable {
    /// Whether the value is nil, at any level of nested optionals.
    var isNil: Bool { get }
}

extension Optional: NilTestable {
    var isNil: Bool {
        switch self {
        case nil: true
        case let value?: (value as? any NilTestable)?.isNil ?? false
        }
    }
}
