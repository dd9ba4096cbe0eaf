import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What came of a task, before it is serialized.
struct TaskOutcome: Sendable {
    var request: URLRequest?
    var head: ResponseHead?
    var data: Data?
    var metrics: TaskMetrics?
    var error: BluebonnetError?
    /// Where a download's complete file is.
    var fileURL: URL?
    /// The trailer fields; nil without any.
    var trailers: [Exchange.Field]?
    /// The heads of the redirects that were followed, in order.
    var redirects: [ResponseHead] = []
}

/// What a response has beside its result, which does not depend on the result's type.
///
/// Behind one reference, because responses are passed on several times.
final class ResponseParts: Sendable {
    let outcome: TaskOutcome
    /// The ``UnacceptedBody`` of a response that failed validation.
    let unacceptedBody: (any AnyObject & Sendable)?
    /// How long serializing took, in nanoseconds.
    let serializationTime: UInt64

    init(
        _ outcome: TaskOutcome, unacceptedBody: (any AnyObject & Sendable)?,
        serializationTime: UInt64 = 0
    ) {
        self.outcome = outcome
        self.unacceptedBody = unacceptedBody
        self.serializationTime = serializationTime
    }
}

/// The serialized body of a response that failed validation.
final class UnacceptedBody<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
