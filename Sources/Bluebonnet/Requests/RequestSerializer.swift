import Foundation
public import FoundationNetworking

/// Parameters of a request by name.
///
/// Values are scalars (`String`, numbers, `Bool`, `Date`, `Data`, `URL`, `UUID`, `NSNull`) or arrays
/// and dictionaries of such. A nested literal needs its type written: `["a": 1] as Parameters`.
public typealias Parameters = [String: any Sendable]

/// Puts parameters into a request.
///
/// A conformance needs `headers` and the first `serialize`, which may run on any thread; the second
/// encodes its parameters and calls the first.
public protocol RequestSerializer: Sendable {
    /// Header fields for every request that it makes, unless it has them already.
    var headers: HTTPHeaders { get set }

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest

    /// Returns the request with `headers` and the encoded parameters in it.
    ///
    /// The same content gives the same bytes, whether it is encoded or in ``Parameters``; nil is no
    /// parameters.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func serialize<Value: Encodable & Sendable>(
        _ request: URLRequest,
        parameters: Value
    ) throws -> URLRequest
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
