import Foundation

/// A serializer whose type is not known, giving AFNetworking's response object.
struct UntypedResponseSerializer: ResponseSerializer {
    var base: any ResponseSerializer

    var acceptableStatusCodes: Set<Int>? {
        get { base.acceptableStatusCodes }
        set { base.acceptableStatusCodes = newValue }
    }

    var acceptableContentTypes: Set<String>? {
        get { base.acceptableContentTypes }
        set { base.acceptableContentTypes = newValue }
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) {
        try base.validate(head)
    }

    func isCheap(byteCount: Int) -> Bool { base.isCheap(byteCount: byteCount) }

    /// The file, whatever the serializer: what became a download is not read again (AFNetworking, S18).
    func serialize(file: URL, head: ResponseHead?) throws -> (any Sendable)? { file }

    func serialize(_ data: Data, head: ResponseHead?) throws -> (any Sendable)? {
        func value(of serializer: some ResponseSerializer) throws -> (any Sendable)? {
            flattened(try serializer.serialize(data, head: head))
        }
        do {
            return try value(of: base)
        } catch let error as ResponseSerializationError where error == .emptyBody {
            // Nothing is an object too, whatever the serializer (AFNetworking, C18).
            return nil
        }
    }
}

/// Returns the value as an object, and nil for an optional without a value.
func flattened<Value: Sendable>(_ value: Value) -> (any Sendable)? {
    if Value.self == Data.self { return value }
    if let object = Wrapper(value: value) as? Wrapper<(any Sendable)?> { return object.value }
    if let optional = value as? any NilTestable, optional.isNil { return nil }
    return value
}

/// Makes a cast to `(any Sendable)?` possible, which the language refuses for the type itself because
/// `Sendable` is a marker protocol.
private struct Wrapper<Value> {
    let value: Value
}
