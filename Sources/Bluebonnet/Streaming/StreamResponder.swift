import BluebonnetTransport
import Foundation

/// Delivers the end of a task to the reader of its stream.
final class StreamResponder: TaskResponder {
    private let serializer: any ResponseSerializer
    private let channel: ResponseChannel

    init(serializer: any ResponseSerializer, channel: ResponseChannel) {
        self.serializer = serializer
        self.channel = channel
    }

    func validate(_ head: ResponseHead) throws(BluebonnetError) { try serializer.validate(head) }

    func respond(
        to outcome: consuming TaskOutcome, of delegate: TaskDelegate, as turn: TaskResponders.Turn
    ) {
        // A response with an unacceptable type is accepted if its body is empty. Its head is
        // delivered here.
        if outcome.error == nil, let head = outcome.head { channel.receive(head) }
        channel.finish(outcome.error.map { .failure($0) } ?? .success(()))
        var told = outcome
        told.data = nil
        DeliveryStage(delegate).responderDidReturn(turn) {
            CompletionContent(told, serializer: serializer)
        }
    }
}
