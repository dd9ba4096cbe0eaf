public import Foundation

/// Stands for a manager's own ``SessionManager/responseSerializer``, whose type is not known, and gives
/// AFNetworking's response object.
///
/// It is what a verb uses unless another is given. The manager's serializer takes its place when the task is
/// made; without a manager it is one of JSON. Where it gives nil, as for an empty body, the value is `NSNull`.
public struct ManagerResponseSerializer: ResponseSerializer {
    /// What stands for no object; no null of a body is this very one.
    static let nothing = NSNull()

    private var base: any ResponseSerializer
    private var isBound: Bool

    /// Makes one that stands for the serializer of whichever manager it is given to.
    public init() {
        base = JSONResponseSerializer()
        isBound = false
    }

    /// Makes one that stands for a serializer.
    init(base: any ResponseSerializer) {
        self.base = base
        isBound = true
    }

    /// Status codes of a success; setting them makes it one of JSON.
    public var acceptableStatusCodes: Set<Int>? {
        get { base.acceptableStatusCodes }
        set {
            base.acceptableStatusCodes = newValue
            isBound = true
        }
    }

    /// Media types that the body may have; setting them makes it one of JSON.
    public var acceptableContentTypes: Set<String>? {
        get { base.acceptableContentTypes }
        set {
            base.acceptableContentTypes = newValue
            isBound = true
        }
    }

    /// Judges as the serializer that it stands for.
    public func validate(_ head: ResponseHead) throws(BluebonnetError) { try base.validate(head) }

    /// Whether the serializer that it stands for is done at once.
    public func isCheap(byteCount: Int) -> Bool { base.isCheap(byteCount: byteCount) }

    /// What the serializer that it stands for can read.
    public var maximumBodySize: Int? { base.maximumBodySize }

    /// The file, whatever the serializer: what became a download is not read again (AFNetworking, S18).
    public func serialize(file: URL, head: ResponseHead?) throws -> any Sendable { file }

    /// What the serializer makes of the body; `NSNull` for nil.
    public func serialize(_ data: Data, head: ResponseHead?) throws -> any Sendable {
        func value(of serializer: some ResponseSerializer) throws -> any Sendable {
            flattened(try serializer.serialize(data, head: head)) ?? Self.nothing
        }
        do {
            return try value(of: base)
        } catch let error as ResponseSerializationError where error.isAboutEmptyBody {
            // Nothing is an object too, whatever the serializer (AFNetworking, C18).
            return Self.nothing
        }
    }
}

extension ResponseSerializer where Self == ManagerResponseSerializer {
    /// The manager's own ``SessionManager/responseSerializer``.
    public static var manager: Self { Self() }
}

extension ManagerResponseSerializer: ManagerBoundSerializer {
    func bound(by defaults: SerializerDefaults) -> Self {
        if isBound { return self }
        // A manager whose own serializer is this one has none to stand for.
        if defaults.serializer is ManagerResponseSerializer { return Self(base: base) }
        return Self(base: defaults.bound(any: defaults.serializer))
    }

    /// The serializer that it stands for, as its setter knows it.
    var known: any ResponseSerializer { base }
}

/// A serializer that takes from its manager what it was not told.
protocol ManagerBoundSerializer: ResponseSerializer {
    func bound(by defaults: SerializerDefaults) -> Self
}

/// What a manager, or the options of a call, say of serializers that were not told, captured with a task.
struct SerializerDefaults: Sendable {
    let serializer: any ResponseSerializer
    let decoder: JSONDecoder
    /// A decoder of another kind, in place of that one.
    var otherDecoder: (any DataDecoder)?

    /// A serializer that has what it was not told.
    func bound<Serializer: ResponseSerializer>(_ serializer: Serializer) -> Serializer {
        guard let open = serializer as? any ManagerBoundSerializer else { return serializer }
        return open.bound(by: self) as? Serializer ?? serializer
    }

    /// The same for a serializer whose type is not known.
    func bound(any serializer: any ResponseSerializer) -> any ResponseSerializer {
        func open(_ serializer: some ResponseSerializer) -> any ResponseSerializer {
            bound(serializer)
        }
        return open(serializer)
    }
}

extension SessionManager {
    /// What serializers of a task have that were not told.
    func serializerDefaults(_ options: TaskOptions?) -> SerializerDefaults {
        SerializerDefaults(
            serializer: serializer.value, decoder: options?.values.decoder ?? decoder.value)
    }
}

/// Returns the value as an object, and nil for an optional without a value.
func flattened<Value: Sendable>(_ value: Value) -> (any Sendable)? {
    if Value.self == Data.self { return value }
    if Value.self == Void.self { return nil }
    if let object = Wrapper(value: value) as? Wrapper<(any Sendable)?> { return object.value }
    if let object = Wrapper(value: value) as? Wrapper<any Sendable> { return object.value }
    if let optional = value as? any NilTestable, optional.isNil { return nil }
    return value
}

/// Makes a cast to `(any Sendable)?` possible, which the language refuses for the type itself because
/// `Sendable` is a marker protocol.
private struct Wrapper<Value> {
    let value: Value
}
