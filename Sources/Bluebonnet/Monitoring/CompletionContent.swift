import Foundation

/// The content of the notification of a task's completion.
final class CompletionContent: NotificationContent {
    private let parts: ResponseParts
    private let object: (any Sendable)?
    private let error: BluebonnetError?
    /// The serializer of the task's responder, or nil if nothing was serialized.
    private let serializer: (any ResponseSerializer)?

    init(
        _ parts: ResponseParts,
        object: (any Sendable)?,
        error: BluebonnetError?,
        serializer: (any ResponseSerializer)?
    ) {
        self.parts = parts
        self.object = object
        self.error = error
        self.serializer = serializer
    }

    /// The content of an outcome whose body was not serialized.
    convenience init(_ outcome: TaskOutcome, serializer: (any ResponseSerializer)? = nil) {
        self.init(
            ResponseParts(outcome, unacceptedBody: nil), object: nil, error: outcome.error,
            serializer: serializer)
    }

    var userInfo: [AnyHashable: Any] {
        typealias Key = SessionTask.NotificationKey
        let outcome = parts.outcome
        var userInfo: [AnyHashable: Any] = [:]
        userInfo[Key.responseSerializer] = serializer
        userInfo[Key.responseData] = outcome.data
        userInfo[Key.serializedResponse] = object
        userInfo[Key.error] = error
        userInfo[Key.metrics] = outcome.metrics
        userInfo[Key.assetPath] = outcome.fileURL
        return userInfo
    }
}
