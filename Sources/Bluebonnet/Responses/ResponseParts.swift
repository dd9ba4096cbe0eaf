import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The outcome of a task before its body is serialized.
struct TaskOutcome: Sendable {
    var request: URLRequest?
    var head: ResponseHead?
    var data: Data?
    var metrics: TaskMetrics?
    var error: BluebonnetError?
    /// The location of a download's complete file.
    var fileURL: URL?
    /// The trailer fields; nil if there are none.
    var trailers: [Exchange.Field]?
    /// The heads of the redirects that were followed, in order.
    var redirects: [ResponseHead] = []
}

/// The parts of a response that do not depend on the type of its value.
///
/// A class, because responses are passed on several times.
final class ResponseParts: Sendable {
    let outcome: TaskOutcome
    /// The ``UnacceptedBody`` of a response that failed validation.
    let unacceptedBody: (any AnyObject & Sendable)?
    /// The time spent on serializing, in nanoseconds.
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
