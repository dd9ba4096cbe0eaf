import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The outcome of a task before its body is serialized.
package struct TaskOutcome: Sendable {
    package var request: URLRequest?
    package var head: ResponseHead?
    package var data: Data?
    package var metrics: TaskMetrics?
    package var error: BluebonnetError?
    /// The location of a download's complete file.
    package var fileURL: URL?
    /// The trailer fields; nil if there are none.
    var trailers: [Exchange.Field]?
    /// The heads of the redirects that were followed, in order.
    var redirects: [ResponseHead] = []
}

/// The parts of a response that do not depend on the type of its value.
///
/// A class, because responses are passed on several times.
package final class ResponseParts: Sendable {
    package let outcome: TaskOutcome
    /// The ``UnacceptedBody`` of a response that failed validation.
    let unacceptedBody: (any AnyObject & Sendable)?
    /// The time spent on serializing, in nanoseconds.
    package let serializationTime: UInt64

    package init(
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
