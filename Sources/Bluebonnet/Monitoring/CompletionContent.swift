import Foundation

/// What observers hear of a task's completion.
final class CompletionContent: NotificationContent {
    private let parts: ResponseParts
    private let object: (any Sendable)?
    private let error: BluebonnetError?
    private let serializer: any ResponseSerializer

    init(
        _ parts: ResponseParts,
        object: (any Sendable)?,
        error: BluebonnetError?,
        serializer: any ResponseSerializer
    ) {
        self.parts = parts
        self.object = object
        self.error = error
        self.serializer = serializer
    }

    var userInfo: [AnyHashable: Any] {
        guard error == nil, let object, let data = parts.outcome.data,
            let metrics = parts.outcome.metrics
        else { return partialUserInfo }
        return SuccessUserInfo.with(
            data: data, object: object, serializer: serializer, metrics: metrics
        )
    }

    private var partialUserInfo: [AnyHashable: Any] {
        typealias Key = SessionTask.NotificationKey
        let outcome = parts.outcome
        var userInfo: [AnyHashable: Any] = [Key.responseSerializer: serializer]
        userInfo[Key.responseData] = outcome.data
        userInfo[Key.serializedResponse] = object
        userInfo[Key.error] = error
        userInfo[Key.metrics] = outcome.metrics
        userInfo[Key.assetPath] = outcome.fileURL
        return userInfo
    }
}

/// The dictionary of a success, whose keys are hashed once for all: they are long, and nobody may
/// be looking.
private enum SuccessUserInfo {
    typealias Key = SessionTask.NotificationKey
    typealias Index = Dictionary<AnyHashable, Any>.Index

    // Sendable: empty strings, and places in a dictionary that nothing changes.
    nonisolated(unsafe) private static let model: [AnyHashable: Any] = [
        Key.responseData: "", Key.serializedResponse: "", Key.responseSerializer: "",
        Key.metrics: "",
    ]
    nonisolated(unsafe) private static let places = [
        Key.responseData, Key.serializedResponse, Key.responseSerializer, Key.metrics,
    ].compactMap { model.index(forKey: $0) }

    static func with(
        data: Data,
        object: any Sendable,
        serializer: any ResponseSerializer,
        metrics: TaskMetrics
    ) -> [AnyHashable: Any] {
        var userInfo = model
        userInfo.values[places[0]] = data
        userInfo.values[places[1]] = object
        userInfo.values[places[2]] = serializer
        userInfo.values[places[3]] = metrics
        return userInfo
    }
}
