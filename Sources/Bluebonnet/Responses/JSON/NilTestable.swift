/// A value of a type that is not known, which may be an optional.
protocol NilTestable {
    /// Whether it holds nothing, at whatever depth.
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
