import BluebonnetTransport
import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Sends a request and returns the response when its head has arrived, with a body to read
    /// piece by piece.
    ///
    /// A slow reader slows the server down. Only the reader receives the pieces: the `data` of
    /// ``SessionTask/delegate`` stays empty. Canceling the Swift task cancels the request.
    /// ``completionQueue`` is not used.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - serializer: The serializer that validates the head. It does not serialize the body. By
    ///     default, any content type with an acceptable status is valid.
    ///   - options: Settings for this task alone.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of a task that fails before its head is accepted. For an unacceptable
    ///   status, the error's context contains the body.
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
        let task: StreamTask = makeTask(
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
