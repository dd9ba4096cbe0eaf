import BluebonnetTransport
public import Foundation

/// Judges responses and makes values of their bodies.
///
/// A conformance needs the two properties and `serialize`. It is used on many threads at once.
public protocol ResponseSerializer<Value>: Sendable {
    /// What a body becomes.
    associatedtype Value: Sendable

    /// Status codes of a success; nil accepts every status.
    var acceptableStatusCodes: Set<Int>? { get set }
    /// Media types, without parameters, that the body may have; nil accepts every type.
    var acceptableContentTypes: Set<String>? { get set }

    /// Judges status and content type, as soon as the head has arrived.
    func validate(_ head: ResponseHead) throws(BluebonnetError)

    /// Makes the value of a whole body.
    ///
    /// Runs on a queue of the task's own, also for a response that failed validation, whose body
    /// is parsed where that is possible.
    ///
    /// - Throws: anything; the task fails with ``BluebonnetError/unreadableBody(_:_:)`` around it.
    func serialize(_ data: Data, head: ResponseHead?) throws -> Value
}

extension ResponseSerializer {
    /// Accepts the status codes and content types of the two properties.
    ///
    /// A body that cannot be there, or is declared empty, has no type to judge. When both are
    /// wrong, the error is about the status, with the other below it (AFNetworking, P4).
    public func validate(_ head: ResponseHead) throws(BluebonnetError) {
        let typeError = contentTypeError(head)
        if let acceptable = acceptableStatusCodes, !acceptable.contains(head.statusCode) {
            throw .unacceptableStatus(
                head.statusCode,
                BluebonnetError.Context(head: head, underlying: typeError)
            )
        }
        if let typeError { throw typeError }
    }

    private func contentTypeError(_ head: ResponseHead) -> BluebonnetError? {
        guard let acceptable = acceptableContentTypes, head.expectedContentLength != 0 else {
            return nil
        }
        let type = head.mimeType
        if let type,
            acceptable.contains(type) || acceptable.contains(where: type.caseInsensitiveEquals)
        {
            return nil
        }
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

/// Why a body could not be read.
public struct ResponseSerializationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with the body.
    public var reason: String

    /// Makes an error.
    public init(reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
