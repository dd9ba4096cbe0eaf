public import Foundation

/// Decodes a type from data: `JSONDecoder`, `PropertyListDecoder`, or one of your own.
///
/// A conformance is used on many threads at once.
public protocol DataDecoder: Sendable {
    /// Returns the decoded value.
    ///
    /// - Throws: anything; the request fails with ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
