import BluebonnetTransport
public import Foundation
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

    /// Sends the pieces of an asynchronous sequence, and returns the response when its head has
    /// arrived, with a body to read piece by piece.
    ///
    /// The body is sent as by ``RequestBody/sequence(_:length:)`` and received as by
    /// ``stream(for:validatedBy:options:)``. Canceling the Swift task cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request to send. The pieces replace its own body.
    ///   - pieces: The bytes, in pieces of any size.
    ///   - length: The number of bytes, or nil if it is unknown. The body is then sent chunked.
    ///   - isReplayable: Whether the sequence starts at the first byte each time it is iterated, so
    ///     that the body can be resent, for example after a redirect. The default is false.
    ///   - serializer: The serializer that validates the head. It does not serialize the body. By
    ///     default, any content type with an acceptable status is valid.
    ///   - options: Settings for this task alone.
    /// - Returns: The response, whose body has yet to arrive.
    /// - Throws: The error of a task that fails before its head is accepted.
    public func stream<Pieces: AsyncSequence & Sendable>(
        for request: URLRequest,
        from pieces: Pieces,
        length: Int64? = nil,
        isReplayable: Bool = false,
        validatedBy serializer: some ResponseSerializer = HTTPResponseSerializer(),
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseStream where Pieces.Element == Data {
        let pieces =
            isReplayable
            ? UploadPieces(length: length) { () throws(StreamFailure) in pieces }
            : UploadPieces(pieces, length: length)
        return try await stream(
            .success(request), serializer, TaskOptions(options), upload: .pieces(pieces))
    }

    func stream(
        _ request: Result<URLRequest, BluebonnetError>,
        _ serializer: some ResponseSerializer,
        _ options: TaskOptions?,
        upload: UploadBody? = nil
    ) async throws(BluebonnetError) -> ResponseStream {
        let channel = ResponseChannel()
        let task: StreamTask = makeTask(
            .made(request),
            StreamResponder(
                serializer: serializerDefaults(options).bound(serializer), channel: channel),
            options: options,
            upload: upload,
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
