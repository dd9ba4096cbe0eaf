import Foundation
public import FoundationNetworking

/// Parameters of a request by name.
///
/// Values are scalars (`String`, numbers, `Bool`, `Date`, `Data`, `URL`, `NSNull`) or arrays and
/// dictionaries of such. A nested literal needs its type written: `["a": 1] as Parameters`.
public typealias Parameters = [String: any Sendable]

/// Puts parameters into a request.
///
/// A conformance needs both members. `serialize` may run on any thread.
public protocol RequestSerializer: Sendable {
    /// Header fields for every request that does not have them already.
    var headers: HTTPHeaders { get set }

    /// Returns the request with `headers` and the parameters in it.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/invalidRequest(_:_:)`` around it.
    func serialize(_ request: URLRequest, parameters: Parameters?) throws -> URLRequest
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
