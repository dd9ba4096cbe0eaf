public import Foundation

/// A placeholder for a manager's ``SessionManager/responseSerializer``, whose type is not known.
///
/// The HTTP verb methods use it by default. Its values correspond to AFNetworking's response
/// objects. The manager's serializer replaces it when the task is created; without a manager, a
/// JSON serializer does. If that serializer returns nil, for example for an empty body, the value
/// is `NSNull`.
public struct ManagerResponseSerializer: ResponseSerializer {
    /// The object that stands for no value; compared by identity, so a JSON null is distinct from
    /// it.
    static let nothing = NSNull()

    private var base: any ResponseSerializer
    private var isBound: Bool

    /// Creates a placeholder for the serializer of the manager that uses it.
    public init() {
        base = JSONResponseSerializer()
        isBound = false
    }

    /// Creates a placeholder for the given serializer.
    init(base: any ResponseSerializer) {
        self.base = base
        isBound = true
    }

    /// The acceptable status codes; setting them replaces the placeholder with a JSON serializer.
    public var acceptableStatusCodes: Set<Int>? {
        get { base.acceptableStatusCodes }
        set {
            base.acceptableStatusCodes = newValue
            isBound = true
        }
    }

    /// The acceptable media types; setting them replaces the placeholder with a JSON serializer.
    public var acceptableContentTypes: Set<String>? {
        get { base.acceptableContentTypes }
        set {
            base.acceptableContentTypes = newValue
            isBound = true
        }
    }

    /// Judges the head as the underlying serializer does.
    public func validate(_ head: ResponseHead) throws(BluebonnetError) { try base.validate(head) }

    /// Whether serializing a body of this size is cheap for the underlying serializer.
    public func isCheap(byteCount: Int) -> Bool { base.isCheap(byteCount: byteCount) }

    /// The largest body that the underlying serializer can read; nil for any size.
    public var maximumBodySize: Int? { base.maximumBodySize }

    /// Returns the file: if a data task became a download, its body is not read into memory.
    public func serialize(file: URL, head: ResponseHead?) throws -> any Sendable { file }

    /// Returns the underlying serializer's value, or `NSNull` instead of nil or for an empty body.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The value.
    /// - Throws: The error of the underlying serializer.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> any Sendable {
        func value(of serializer: some ResponseSerializer) throws -> any Sendable {
            flattened(try serializer.serialize(data, head: head)) ?? Self.nothing
        }
        do {
            return try value(of: base)
        } catch let error as ResponseSerializationError where error.isAboutEmptyBody {
            // An empty body is a success without an object, whichever serializer reads it.
            return Self.nothing
        }
    }
}

extension ResponseSerializer where Self == ManagerResponseSerializer {
    /// A placeholder for the manager's ``SessionManager/responseSerializer``.
    public static var manager: Self { Self() }
}

extension ManagerResponseSerializer: ManagerBoundSerializer {
    func bound(by defaults: SerializerDefaults) -> Self {
        if isBound { return self }
        // If the manager's serializer is a placeholder too, keep this one's JSON serializer.
        if defaults.serializer is ManagerResponseSerializer { return Self(base: base) }
        return Self(base: defaults.bound(any: defaults.serializer))
    }

    /// The underlying serializer, which is the one that was set on the manager.
    var known: any ResponseSerializer { base }
}

/// A serializer that takes unset options from its manager.
protocol ManagerBoundSerializer: ResponseSerializer {
    func bound(by defaults: SerializerDefaults) -> Self
}

/// The serializer defaults of a manager or of a call's options, captured when a task is created.
package struct SerializerDefaults: Sendable {
    let serializer: any ResponseSerializer
    let decoder: JSONDecoder
    /// A decoder that is not a `JSONDecoder`; used instead of `decoder` if set.
    var otherDecoder: (any DataDecoder)?

    /// Returns the serializer with its unset options filled in.
    func bound<Serializer: ResponseSerializer>(_ serializer: Serializer) -> Serializer {
        guard let open = serializer as? any ManagerBoundSerializer else { return serializer }
        return open.bound(by: self) as? Serializer ?? serializer
    }

    /// Returns the serializer with its unset options filled in, for a serializer of unknown type.
    func bound(any serializer: any ResponseSerializer) -> any ResponseSerializer {
        func open(_ serializer: some ResponseSerializer) -> any ResponseSerializer {
            bound(serializer)
        }
        return open(serializer)
    }
}

/// Returns the value as an object; nil for `Void` and for an optional without a value.
func flattened<Value: Sendable>(_ value: Value) -> (any Sendable)? {
    if Value.self == Data.self { return value }
    if Value.self == Void.self { return nil }
    if let object = Wrapper(value: value) as? Wrapper<(any Sendable)?> { return object.value }
    if let object = Wrapper(value: value) as? Wrapper<any Sendable> { return object.value }
    if let optional = value as? any NilTestable, optional.isNil { return nil }
    return value
}

/// Allows a cast to `(any Sendable)?`.
///
/// The language does not allow that cast directly, because `Sendable` is a marker protocol.
private struct Wrapper<Value> {
    let value: Value
}
