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
    /// What is kept under the key.
    associatedtype Value: Sendable
    /// The value where none was set.
    static var defaultValue: Value { get }
}

/// What a caller says about a task to those who see it on its way: transports, above all.
///
/// Nothing of it is sent, and the library goes by none of it.
public struct TaskAttributes: Sendable {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Makes attributes of which none is set.
    public init() {}

    /// The value under a key, or the key's default.
    public subscript<Key: TaskAttributeKey>(key: Key.Type) -> Key.Value {
        get {
            // Bound first: no value at all could be cast to an optional one of nil.
            guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
            return value as? Key.Value ?? Key.defaultValue
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// Text that tells the task from others, in a record or a stub for example; default nil.
    public var tag: String? {
        get { self[TagKey.self] }
        set { self[TagKey.self] = newValue }
    }

    private enum TagKey: TaskAttributeKey {
        static var defaultValue: String? { nil }
    }
}
