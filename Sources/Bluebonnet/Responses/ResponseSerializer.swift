public import Foundation

/// Judges responses and makes values of their bodies.
///
/// A conformance needs the two properties and `serialize`; <doc:Responses> shows one. It is used
/// on many threads at once.
public protocol ResponseSerializer<Value>: Sendable {
    /// What a body becomes.
    associatedtype Value: Sendable

    /// Status codes of a success; nil accepts every status.
    var acceptableStatusCodes: Set<Int>? { get set }
    /// Media types, without parameters, that the body may have; nil accepts every type.
    ///
    /// `*` stands for any type or subtype (`image/*`, `*/json`), and a suffix alone for every type
    /// with that structure (`+json`, `+xml`, RFC 6839). Case does not matter. Only `*/*` accepts
    /// a body without a type.
    var acceptableContentTypes: Set<String>? { get set }

    /// Judges status and content type, as soon as the head has arrived.
    func validate(_ head: ResponseHead) throws(BluebonnetError)

    /// Makes the value of a whole body.
    ///
    /// Runs on a queue of the task's own or, where ``isCheap(byteCount:)``, on the callback queue. It is
    /// called for a response that failed validation, too, whose body is parsed where that is possible.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func serialize(_ data: Data, head: ResponseHead?) throws -> Value

    /// Makes the value of a body that is in a file, as that of a download is.
    ///
    /// The default reads the file by mapping it, and serializes that.
    ///
    /// - Throws: anything, as ``serialize(_:head:)``.
    func serialize(file: URL, head: ResponseHead?) throws -> Value

    /// Whether serializing a body of so many bytes takes so little time, some tens of microseconds, that
    /// another thread is not worth waking.
    ///
    /// It is done at once then, on the manager's callback queue, where it holds up the manager's other
    /// tasks. The default is false: a queue of the task's own does it.
    func isCheap(byteCount: Int) -> Bool

    /// The largest body in bytes, after decoding, that can be serialized; default nil, any.
    ///
    /// A task that keeps its body in memory stops the transfer as soon as the declared or received
    /// size is above it. With several serializers the largest counts. It is read once, when the task is
    /// made or the serializer is added.
    var maximumBodySize: Int? { get }
}

extension ResponseSerializer {
    /// Serializes the file's bytes, which stay readable when the file is gone.
    public func serialize(file: URL, head: ResponseHead?) throws -> Value {
        // Foundation leaks memory where there is nothing to map.
        let isEmpty = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 0
        return try serialize(
            isEmpty ? Data() : Data(contentsOf: file, options: .alwaysMapped), head: head)
    }

    /// Says no.
    public func isCheap(byteCount: Int) -> Bool { false }

    /// Nil: a body may be of any size.
    public var maximumBodySize: Int? { nil }

    /// Accepts the status codes and content types of the two properties.
    ///
    /// A body that cannot be there, or is declared empty, has no type to judge. When both are
    /// wrong, the error is about the status, with the other below it (AFNetworking, P4).
    public func validate(_ head: ResponseHead) throws(BluebonnetError) {
        let typeError = contentTypeError(head)
        if let acceptable = acceptableStatusCodes, !acceptable.contains(head.statusCode) {
            var context = BluebonnetError.Context(head: head, underlying: typeError)
            context.acceptableStatusCodes = acceptable
            throw .unacceptableStatus(head.statusCode, context)
        }
        if let typeError { throw typeError }
    }

    /// The serializer as one of a known type, to read or to change it where it is; nil if it is of another.
    ///
    /// ```swift
    /// api.responseSerializer[as: JSONResponseSerializer.self]?.removesKeysWithNullValues = true
    /// ```
    ///
    /// Setting does nothing where the type is another.
    public subscript<Serializer: ResponseSerializer>(as type: Serializer.Type) -> Serializer? {
        get { self as? Serializer }
        set { if let serializer = newValue as? Self { self = serializer } }
    }

    private func contentTypeError(_ head: ResponseHead) -> BluebonnetError? {
        guard let acceptable = acceptableContentTypes, head.expectedContentLength != 0 else {
            return nil
        }
        let type = head.mimeType
        if let type, acceptable.contains(type) { return nil }
        if acceptable.contains(where: { MediaTypePattern($0).accepts(type) }) { return nil }
        return .unacceptableContentType(
            type,
            acceptable: acceptable,
            BluebonnetError.Context(head: head)
        )
    }
}

extension Set<Int> {
    /// The statuses 200 to 299, which every serializer of the library accepts by default.
    public static let successStatusCodes = Set(200..<300)
}
