public import Bluebonnet

/// Alamofire's name for a task whose response is handled piece by piece.
///
/// ```swift
/// session.streamRequest("https://example.com/events").validate()
///     .responseStreamDecodable(of: Event.self) { stream in
///         switch stream.event {
///         case .stream(let result): print(result)
///         case .complete(let completion): print(completion.error as Any)
///         }
///     }
/// ```
///
/// A slow handler slows the server down: the next piece waits until every handler has returned. A
/// request that is resumed without a handler or a loop also stops the server. Add one, or cancel
/// the request. A response that a validation rejects is not streamed. The error's context contains
/// its body.
///
/// When the request has ended, values that have arrived are kept for loops that have not read them,
/// up to the manager's ``/Bluebonnet/SessionConfiguration/streamBufferSize``.
public typealias DataStreamRequest = StreamTask

extension DataStreamRequest {
    /// A closure that receives values and the end; an error that it throws ends the request.
    public typealias Handler<Success: Sendable, Failure: Error> =
        @Sendable (
            _ stream: Stream<Success, Failure>
        ) throws -> Void

    /// A closure that validates the head of a response.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse
        ) -> ValidationResult

    /// The argument of a handler: an event, and a token to cancel the request.
    public struct Stream<Success: Sendable, Failure: Error>: Sendable {
        /// The event.
        public let event: Event<Success, Failure>
        /// A token that cancels the request.
        public let token: CancellationToken

        /// Cancels the request; no more values are delivered.
        public func cancel() { token.cancel() }
    }

    /// An event of a stream.
    public enum Event<Success: Sendable, Failure: Error>: Sendable {
        /// A value, or the error of data that could not be serialized.
        case stream(Result<Success, Failure>)
        /// The end of the request, delivered once, after the values of all its streams.
        case complete(Completion)
    }

    /// The outcome of a request.
    public struct Completion: Sendable {
        /// The request as it was last sent; nil if it could not be created.
        public let request: URLRequest?
        /// The status and header fields; nil if no response arrived.
        public let head: ResponseHead?
        /// The metrics; nil if nothing was sent.
        public let metrics: TaskMetrics?
        /// The error of a failed request; nil for a success.
        public let error: AFError?

        /// The head as Foundation's type, created again by each call.
        public var response: HTTPURLResponse? { head?.httpURLResponse }
    }

    /// A token that cancels a request.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Cancels the request.
        public func cancel() { request?.cancel() }
    }
}

extension DataStreamRequest.Stream {
    /// The value or its error; nil at the end.
    public var result: Result<Success, Failure>? {
        if case .stream(let result) = event { result } else { nil }
    }

    /// The value; nil for an error and at the end.
    public var value: Success? { try? result?.get() }

    /// The error of data that could not be serialized; nil for a value and at the end.
    public var error: Failure? {
        if case .failure(let error)? = result { error } else { nil }
    }

    /// The outcome of the request; nil before its end.
    public var completion: DataStreamRequest.Completion? {
        if case .complete(let completion) = event { completion } else { nil }
    }
}
