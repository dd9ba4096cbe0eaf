import BluebonnetTransport
import Foundation

/// Brings a task's end to the reader of its stream.
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
        // An empty body of any type is accepted in the end, and its head has not been given then.
        if outcome.error == nil, let head = outcome.head { channel.receive(head) }
        channel.finish(outcome.error.map { .failure($0) } ?? .success(()))
        var told = outcome
        told.data = nil
        delegate.responderDidReturn(turn) {
            CompletionContent(
                ResponseParts(told, unacceptedBody: nil),
                object: nil,
                error: told.error,
                serializer: serializer
            )
        }
    }
}
