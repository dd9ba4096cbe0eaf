public import Bluebonnet

/// An asynchronous sequence of a request's events, which one loop can read until the request ends.
///
/// Values that arrive before the loop starts are kept according to the buffering policy.
public struct StreamOf<Element: Sendable>: AsyncSequence, Sendable {
    /// How many values are kept for a loop that is slower than the request.
    public typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private let stream: AsyncStream<Element>

    init(_ policy: BufferingPolicy, _ build: (AsyncStream<Element>.Continuation) -> Void) {
        stream = AsyncStream(bufferingPolicy: policy, build)
    }

    /// Returns an iterator over the values.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Element>.Iterator

        /// Returns the next value, or nil if the request has ended or the Swift task was canceled.
        public mutating func next() async -> Element? { await base.next() }
    }
}

extension Request {
    /// Returns the upload progress of the request's body as an asynchronous sequence.
    ///
    /// It replaces the closure of ``uploadProgress(queue:closure:)``.
    ///
    /// - Parameter bufferingPolicy: The values that are kept for a slow loop. The default keeps the
    ///   newest value.
    /// - Returns: The progress.
    public func uploadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .bufferingNewest(1)
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            uploadProgress { continuation.yield($0) }
        }
    }

    /// Returns the download progress of the response's body as an asynchronous sequence.
    ///
    /// It replaces the closure of ``downloadProgress(queue:closure:)``.
    ///
    /// - Parameter bufferingPolicy: The values that are kept for a slow loop. The default keeps the
    ///   newest value.
    /// - Returns: The progress.
    public func downloadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .bufferingNewest(1)
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            downloadProgress { continuation.yield($0) }
        }
    }

    /// Returns the request of each attempt as an asynchronous sequence.
    ///
    /// It replaces the closure of ``onURLRequestCreation(on:perform:)``.
    ///
    /// - Parameter bufferingPolicy: The values that are kept for a slow loop. The default keeps all
    ///   values.
    /// - Returns: The requests.
    public func urlRequests(
        bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { continuation in
            onURLRequestCreation { continuation.yield($0) }
        }
    }

    /// Returns an asynchronous sequence of one element, the task.
    ///
    /// A retry is another attempt of the same task.
    ///
    /// - Parameter bufferingPolicy: The values that are kept for a slow loop. The default keeps all
    ///   values.
    /// - Returns: The task.
    public func urlSessionTasks(
        bufferingPolicy: StreamOf<SessionTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<SessionTask> {
        stream(bufferingPolicy) { continuation in
            onURLSessionTaskCreation { continuation.yield($0) }
        }
    }

    /// Returns an asynchronous sequence of one element, the request as a `curl` command.
    ///
    /// The command is available once the request has been created. See
    /// ``/Bluebonnet/SessionTask/cURLDescription(includingSecrets:)``.
    ///
    /// - Parameter bufferingPolicy: The values that are kept for a slow loop. The default keeps all
    ///   values.
    /// - Returns: The command.
    public func cURLDescriptions(
        bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded
    ) -> StreamOf<String> {
        stream(bufferingPolicy) { continuation in
            cURLDescription { continuation.yield($0) }
        }
    }

    /// Returns the head of each attempt's response as an asynchronous sequence.
    ///
    /// It replaces the closure of the `onHTTPResponse` methods.
    ///
    /// - Parameter bufferingPolicy: The values that are kept for a slow loop. The default keeps all
    ///   values.
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
                // The closures above run on the same queue, so the sequence ends after their
                // values.
                delegate.call(on: nil) { continuation.finish() }
            }
        }
    }
}
