public import Foundation

/// A decoder of data, such as `JSONDecoder`, `PropertyListDecoder` or a custom one.
///
/// It is used on several threads at the same time.
public protocol DataDecoder: Sendable {
    /// Returns the decoded value.
    ///
    /// - Throws: Any error. The request fails with ``BluebonnetError/unreadableBody(_:_:)``, which
    ///   wraps it.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
