import BluebonnetTransport
import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Sends a request and returns its response as soon as its head has arrived; the body is read
    /// piece by piece, and whoever stops reading stops the sender.
    ///
    /// The pieces go to the reader alone, so ``SessionTask/delegate``'s data stays empty. Cancelling
    /// the Swift task cancels the request. ``completionQueue`` plays no part.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - serializer: What judges the head; default any type with an acceptable status. The body
    ///     is not serialized.
    ///   - options: What is different for this task.
    /// - Returns: The response, with its body to come.
    /// - Throws: whatever made the task fail up to then, an unacceptable status included, with the
    ///   body in its context.
    public func stream(
        for request: URLRequest,
        validatedBy serializer: some ResponseSerializer = HTTPResponseSerializer(),
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseStream {
        try await stream(.success(request), serializer, TaskOptions(options))
    }

    func stream(
        _ request: Result<URLRequest, BluebonnetError>,
        _ serializer: some ResponseSerializer,
        _ options: TaskOptions?
    ) async throws(BluebonnetError) -> ResponseStream {
        let channel = ResponseChannel()
        let task: DataTask = makeTask(
            DataTaskDelegate.self,
            .made(request),
            StreamResponder(
                serializer: serializerDefaults(options).bound(serializer), channel: channel),
            options: options,
            flow: .stream(channel)
        )
        let source = ResponseStream.Source(task: task, channel: channel)
        let head = await withTaskCancellationHandler {
            task.resume()
            return await channel.head
        } onCancel: {
            task.cancel()
        }
        return ResponseStream(head: try head.get(), source: source)
    }
}
