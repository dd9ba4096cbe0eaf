import Foundation
public import FoundationNetworking

// @unchecked as in the superclass: no stored state is added.
/// A request whose response is handled piece by piece, as Alamofire's users write it.
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
/// A handler that takes its time stops the server: what comes next waits until every handler has returned. So does a
/// request that is resumed and has neither a handler nor a loop: add one, or cancel it. What a validation refuses is not
/// streamed; its body is in the error's context.
///
/// When the request has ended, what has arrived is kept for loops that have not read it, up to the manager's
/// ``SessionConfiguration/streamBufferSize``.
public final class DataStreamRequest: Request, @unchecked Sendable {
    /// Hears of values and of the end; one that throws ends the request with its error.
    public typealias Handler<Success: Sendable, Failure: Error> =
        @Sendable (
            _ stream: Stream<Success, Failure>
        ) throws -> Void

    /// Judges the head of a response.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse
        ) -> ValidationResult

    /// What a handler is told: an event, and the means to cancel the request.
    public struct Stream<Success: Sendable, Failure: Error>: Sendable {
        /// What has happened.
        public let event: Event<Success, Failure>
        /// Cancels the request.
        public let token: CancellationToken

        /// Ends the request as cancelled; no more values come.
        public func cancel() { token.cancel() }
    }

    /// What happens to a stream.
    public enum Event<Success: Sendable, Failure: Error>: Sendable {
        /// A value, or why something that has come is none.
        case stream(Result<Success, Failure>)
        /// The end, once, behind the values of all streams of the request.
        case complete(Completion)
    }

    /// How a request has ended.
    public struct Completion: Sendable {
        /// The request as it was last sent; nil when it could not be built.
        public let request: URLRequest?
        /// Status and headers; nil when no response came.
        public let head: ResponseHead?
        /// What was measured; nil when nothing was sent.
        public let metrics: TaskMetrics?
        /// Why the request failed; nil for a success.
        public let error: AFError?

        /// Foundation's form of the head, made anew by each call.
        public var response: HTTPURLResponse? { head?.httpURLResponse }
    }

    /// Cancels a request.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Ends the request as cancelled.
        public func cancel() { request?.delegate.cancelStream() }
    }
}

extension DataStreamRequest.Stream {
    /// The value or its error; nil for the end.
    public var result: Result<Success, Failure>? {
        if case .stream(let result) = event { result } else { nil }
    }

    /// The value; nil for an error and for the end.
    public var value: Success? { try? result?.get() }

    /// Why something that has come is no value; nil for a value and for the end.
    public var error: Failure? {
        if case .failure(let error)? = result { error } else { nil }
    }

    /// How the request has ended; nil before that.
    public var completion: DataStreamRequest.Completion? {
        if case .complete(let completion) = event { completion } else { nil }
    }
}
