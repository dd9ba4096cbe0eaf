public import FoundationNetworking

/// Puts parameters into a request.
///
/// A conformance may run on any thread.
public protocol RequestSerializer: Sendable {
    /// Header fields for every request that it makes, unless it has them already.
    var headers: HTTPHeaders { get set }

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// ``Parameters`` are a sequence of names and values, and `Encodable`; nil is none.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest

    /// Whether it takes parameters that are an array, in which nothing has a name; default false.
    ///
    /// Where it does not, such parameters fail the request before it is asked.
    var acceptsArrays: Bool { get }
}

extension RequestSerializer {
    /// False.
    public var acceptsArrays: Bool { false }

    /// Returns the request with the parameters in it, if they are of a kind that the serializer takes.
    func serialize(_ request: URLRequest, checking parameters: Parameters?) throws -> URLRequest {
        if let parameters {
            // The library's own find it while they write. Others go through names and values, and
            // would not see those that could not be copied.
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

    /// The serializer as one of a known type, to read or to change it where it is; nil if it is of another.
    ///
    /// ```swift
    /// api.requestSerializer[as: HTTPRequestSerializer.self]?.queryEncoding.arrays = .indices
    /// ```
    ///
    /// Setting does nothing where the type is another.
    public subscript<Serializer: RequestSerializer>(as type: Serializer.Type) -> Serializer? {
        get { self as? Serializer }
        set { if let serializer = newValue as? Self { self = serializer } }
    }
}

/// Why parameters or a request could not be put into bytes.
public struct RequestSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place in the parameters, such as `filter.tags[2]`; empty for the request itself.
    public var keyPath: String
    /// What is wrong there.
    public var reason: String

    /// Makes an error.
    public init(keyPath: String = "", reason: String) {
        self.keyPath = keyPath
        self.reason = reason
    }

    /// Place and reason in one line.
    public var description: String {
        keyPath.isEmpty ? reason : "parameter \"\(keyPath)\": \(reason)"
    }
}
