public import Foundation

/// A type that judges responses and creates values from their bodies.
///
/// A conforming type needs the two properties and `serialize`; <doc:Serializers> has an example.
/// Methods are called on several threads at once.
public protocol ResponseSerializer<Value>: Sendable {
    /// The type of the serialized body.
    associatedtype Value: Sendable

    /// The acceptable status codes; nil accepts every status code.
    var acceptableStatusCodes: Set<Int>? { get set }
    /// The acceptable media types, without parameters; nil accepts every type.
    ///
    /// `*` stands for any type or subtype (`image/*`, `*/json`). A suffix alone stands for every
    /// type with that structure (`+json`, `+xml`, RFC 6839). Case does not matter. Only `*/*`
    /// accepts a body without a type.
    var acceptableContentTypes: Set<String>? { get set }

    /// Judges the status code and content type as soon as the head has arrived.
    func validate(_ head: ResponseHead) throws(BluebonnetError)

    /// Returns the value of a complete body.
    ///
    /// It is called on the task's queue, or on the manager's callback queue if
    /// ``isCheap(byteCount:)`` returns true. It is also called for a response that failed
    /// validation, to parse its body if possible.
    ///
    /// - Parameters:
    ///   - data: The complete body, without content codings. It can be empty.
    ///   - head: The status and header fields; nil if no response was received.
    /// - Returns: The value.
    /// - Throws: Any error; the task fails with a ``BluebonnetError/unreadableBody(_:_:)`` that
    ///   contains it.
    func serialize(_ data: Data, head: ResponseHead?) throws -> Value

    /// Returns the value of a body that is in a file, such as that of a download.
    ///
    /// The default implementation maps the file into memory and serializes its bytes.
    ///
    /// - Throws: Any error, like ``serialize(_:head:)``.
    func serialize(file: URL, head: ResponseHead?) throws -> Value

    /// Whether a body of this size is serialized so quickly that waking another thread is not
    /// worthwhile.
    ///
    /// Return true for up to a few tens of microseconds. The body is then serialized on the
    /// manager's callback queue, where it delays the manager's other tasks. The task asks once, on
    /// that queue, when it has ended. The default implementation returns false, so the body is
    /// serialized on the task's queue.
    func isCheap(byteCount: Int) -> Bool

    /// The largest body in bytes, after decoding, that can be serialized; default nil, any size.
    ///
    /// A task that keeps its body in memory stops the transfer as soon as the declared or received
    /// size exceeds the limit. If a task has several serializers, the largest limit applies. The
    /// limit is read once, when the task is created or the serializer is added.
    var maximumBodySize: Int? { get }
}

extension ResponseSerializer {
    /// Serializes the bytes of the file, which stay readable after the file is deleted.
    public func serialize(file: URL, head: ResponseHead?) throws -> Value {
        try serialize(Data(mapping: file), head: head)
    }

    /// Returns false.
    public func isCheap(byteCount: Int) -> Bool { false }

    /// Nil: a body can have any size.
    public var maximumBodySize: Int? { nil }

    /// Judges the head by the two properties.
    ///
    /// A body that is impossible or declared empty has no content type to judge. If both the status
    /// code and the content type are refused, the error is about the status code and has the other
    /// one as its underlying error, as in AFNetworking.
    public func validate(_ head: ResponseHead) throws(BluebonnetError) {
        let typeError = contentTypeError(head)
        if let acceptable = acceptableStatusCodes, !acceptable.contains(head.statusCode) {
            var context = BluebonnetError.Context(head: head, underlying: typeError)
            context.acceptableStatusCodes = acceptable
            throw .unacceptableStatus(head.statusCode, context)
        }
        if let typeError { throw typeError }
    }

    /// The serializer as a concrete type, for reading or changing it in place; nil if it has
    /// another type.
    ///
    /// ```swift
    /// api.responseSerializer[as: JSONResponseSerializer.self]?.removesKeysWithNullValues = true
    /// ```
    ///
    /// Setting a value of another type has no effect.
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
    /// The status codes 200 to 299, which every serializer of the library accepts by default.
    public static let successStatusCodes = Set(200..<300)
}

extension Data {
    /// Creates data whose bytes stay readable after the file is deleted.
    package init(mapping file: URL) throws {
        // Foundation leaks memory if it reads or maps an empty file.
        let isEmpty = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize == 0
        self =
            isEmpty
            ? try FileContents.read(file.path) : try Data(contentsOf: file, options: .alwaysMapped)
    }
}
