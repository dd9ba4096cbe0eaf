import BluebonnetTransport
import Foundation

/// Brings a task's end to the reader of its stream.
final class StreamDelivery<Serializer: ResponseSerializer>: TaskDelivery {
    private let serializer: Serializer
    private let channel: ResponseChannel

    init(serializer: Serializer, channel: ResponseChannel) {
        self.serializer = serializer
        self.channel = channel
    }

    var serializesInNoTime: Bool { true }

    func judge(_ head: ResponseHead) -> BluebonnetError? {
        do throws(BluebonnetError) {
            try serializer.validate(head)
            return nil
        } catch {
            return error
        }
    }

    func finish(_ outcome: TaskOutcome, of delegate: TaskDelegate, inBatch: Bool) {
        // An empty body of any type is accepted in the end, and its head has not been given then.
        if outcome.error == nil, let head = outcome.head { channel.receive(head) }
        channel.finish(outcome.error.map { .failure($0) } ?? .success(()))
        delegate.delivered(StreamedResponse(outcome, serializer: serializer))
    }
}

/// What observers hear of a response that was streamed.
private final class StreamedResponse: NotificationContent {
    private let outcome: TaskOutcome
    private let serializer: any ResponseSerializer

    init(_ outcome: TaskOutcome, serializer: any ResponseSerializer) {
        self.outcome = outcome
        self.serializer = serializer
    }

    var userInfo: [AnyHashable: Any] {
        typealias Key = SessionTask.NotificationKey
        var userInfo: [AnyHashable: Any] = [Key.responseSerializer: serializer]
        userInfo[Key.error] = outcome.error
        userInfo[Key.metrics] = outcome.metrics
        return userInfo
    }
}
