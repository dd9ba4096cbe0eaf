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

    func serializesInNoTime(_ byteCount: Int) -> Bool { true }

    func judge(_ head: ResponseHead) -> BluebonnetError? {
        do throws(BluebonnetError) {
            try serializer.validate(head)
            return nil
        } catch {
            return error
        }
    }

    func finish(_ outcome: consuming TaskOutcome, of delegate: TaskDelegate) {
        // An empty body of any type is accepted in the end, and its head has not been given then.
        if outcome.error == nil, let head = outcome.head { channel.receive(head) }
        channel.finish(outcome.error.map { .failure($0) } ?? .success(()))
        var told = outcome
        told.data = nil
        delegate.delivered {
            CompletionContent(
                ResponseParts(told, unacceptedBody: nil),
                object: nil,
                error: told.error,
                serializer: serializer
            )
        }
    }
}
