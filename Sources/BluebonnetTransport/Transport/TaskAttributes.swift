/// A key of ``TaskAttributes``, with the type of its value.
///
/// ```swift
/// enum TenantKey: TaskAttributeKey {
///     static let defaultValue = "none"
/// }
///
/// task.attributes[TenantKey.self] = "a"
/// ```
public protocol TaskAttributeKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The value if none was set.
    static var defaultValue: Value { get }
}

/// Values that a caller attaches to a task, mainly for transports.
///
/// They are not sent, and the library does not use them.
public struct TaskAttributes: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates attributes without any value.
    public init() {}

    /// The value of a key, or the key's default if none was set.
    public subscript<Key: TaskAttributeKey>(key: Key.Type) -> Key.Value {
        get {
            // Bound first, because a missing value could be cast to a nil of an optional `Value`.
            guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
            return value as? Key.Value ?? Key.defaultValue
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// A text that identifies the task, for example in a log or a stub.
    ///
    /// The default is nil.
    public var tag: String? {
        get { self[TagKey.self] }
        set { self[TagKey.self] = newValue }
    }

    private enum TagKey: TaskAttributeKey {
        static var defaultValue: String? { nil }
    }
}
