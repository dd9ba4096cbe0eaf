public import Foundation
public import FoundationNetworking

/// What happens to a request, one value after the other, until it has ended; for one loop.
///
/// Values from before the loop are kept as the buffering policy says.
public struct StreamOf<Element: Sendable>: AsyncSequence, Sendable {
    /// How many values are kept for a loop that is slower than they come.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let stream: AsyncStream<Element>

    init(_ policy: BufferingPolicy, _ build: (AsyncStream<Element>.Continuation) -> Void) {
        stream = AsyncStream(bufferingPolicy: policy, build)
    }

    /// Makes the reader.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Element>.Iterator

        /// The next value; nil when the request has ended, or the Swift task was cancelled.
        public mutating func next() async -> Element? { await base.next() }
    }
}

extension Request {
    /// How far the request's body has been sent, in place of the closure that hears of it.
    ///
    /// - Parameter bufferingPolicy: What is kept for a slow loop; by default the newest value alone.
    /// - Returns: The progress.
    public func uploadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .bufferingNewest(1)
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            uploadProgress { continuation.yield($0) }
        }
    }

    /// How far the response's body has come, in place of the closure that hears of it.
    ///
    /// - Parameter bufferingPolicy: What is kept for a slow loop; by default the newest value alone.
    /// - Returns: The progress.
    public func downloadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .bufferingNewest(1)
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            downloadProgress { continuation.yield($0) }
        }
    }

    /// The request of each attempt, in place of the closure that hears of it.
    ///
    /// - Parameter bufferingPolicy: What is kept for a slow loop; by default all.
    /// - Returns: The requests.
    public func urlRequests(
        bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { continuation in
            onURLRequestCreation { continuation.yield($0) }
        }
    }

    /// The task, alone: a retry is another attempt of the same one.
    ///
    /// - Parameter bufferingPolicy: What is kept for a slow loop; by default all.
    /// - Returns: The task.
    public func urlSessionTasks(
        bufferingPolicy: StreamOf<SessionTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<SessionTask> {
        stream(bufferingPolicy) { continuation in
            onURLSessionTaskCreation { continuation.yield($0) }
        }
    }

    /// The request as a command line for `curl`, as soon as there is a request; see
    /// ``cURLDescription(includingSecrets:)``.
    ///
    /// - Parameter bufferingPolicy: What is kept for a slow loop; by default all.
    /// - Returns: The command.
    public func cURLDescriptions(
        bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded
    ) -> StreamOf<String> {
        stream(bufferingPolicy) { continuation in
            cURLDescription { continuation.yield($0) }
        }
    }

    /// The head of the response of each attempt, in place of the closure that hears of it.
    ///
    /// - Parameter bufferingPolicy: What is kept for a slow loop; by default all.
    /// - Returns: The heads.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in
            onHTTPResponse { continuation.yield($0) }
        }
    }

    private func stream<Element>(
        _ policy: StreamOf<Element>.BufferingPolicy,
        _ begin: (AsyncStream<Element>.Continuation) -> Void
    ) -> StreamOf<Element> {
        StreamOf(policy) { continuation in
            begin(continuation)
            delegate.afterDelivery { [delegate] in
                // On the queue of the closures above, and so behind what they give.
                delegate.call(on: nil) { continuation.finish() }
            }
        }
    }
}
