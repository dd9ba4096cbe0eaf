public import FoundationNetworking

/// A type that puts parameters into requests.
///
/// The library can call its methods on any thread.
public protocol RequestSerializer: Sendable {
    /// Header fields for every request that does not already have them.
    var headers: HTTPHeaders { get set }

    /// Returns the request with `headers` and the parameters added.
    ///
    /// ``Parameters`` are a sequence of names and values, and `Encodable`. Nil means no parameters.
    ///
    /// - Parameters:
    ///   - request: The request, with the header fields of the call.
    ///   - parameters: The parameters of the call; nil for none.
    /// - Returns: The request to send.
    /// - Throws: Any error; the task fails with a ``BluebonnetError/invalidRequest(_:_:)`` that
    ///   contains it.
    func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest

    /// Whether parameters can be an array, which has no names; false by default.
    ///
    /// If false, such parameters fail the request before the serializer is called.
    var acceptsArrays: Bool { get }
}

extension RequestSerializer {
    /// False.
    public var acceptsArrays: Bool { false }

    /// Returns the request with the parameters added, if the serializer accepts their kind.
    func serialize(_ request: URLRequest, checking parameters: Parameters?) throws -> URLRequest {
        if let parameters {
            // The library's serializers find faults as they write. Others would not see faulty
            // values.
            if !isOfLibrary, let fault = parameters.tree.fault() { throw fault }
            guard acceptsArrays || !parameters.tree.isNameless else {
                throw RequestSerializationError(reason: ParameterFormat.objectionToNamelessRoot)
            }
        }
        return try serialize(request, parameters: parameters)
    }

    private var isOfLibrary: Bool {
        self is HTTPRequestSerializer || self is JSONRequestSerializer
            || self is PropertyListRequestSerializer
    }

    /// The serializer as a specific type, or nil if it is of another type.
    ///
    /// ```swift
    /// api.requestSerializer[as: HTTPRequestSerializer.self]?.queryEncoding.arrays = .indices
    /// ```
    ///
    /// Use it to read a serializer or to modify it in place. Setting it to a serializer of another
    /// type has no effect.
    public subscript<Serializer: RequestSerializer>(as type: Serializer.Type) -> Serializer? {
        get { self as? Serializer }
        set { if let serializer = newValue as? Self { self = serializer } }
    }
}

/// An error that occurs when parameters or a request cannot be serialized.
public struct RequestSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place in the parameters, such as `filter.tags[2]`; empty for the request itself.
    public var keyPath: String
    /// What is wrong at that place.
    public var reason: String

    /// Creates an error.
    public init(keyPath: String = "", reason: String) {
        self.keyPath = keyPath
        self.reason = reason
    }

    /// The place and the reason in one line.
    public var description: String {
        keyPath.isEmpty ? reason : "parameter \"\(keyPath)\": \(reason)"
    }
}
