public import Foundation
public import FoundationNetworking

// @unchecked as in the superclass: no stored state is added.
/// A request whose response goes to a file, as Alamofire's users write it.
///
/// The file is at its destination complete or not at all, and only if the response is accepted: what a validation
/// of status or content type refuses replaces nothing.
public final class DownloadRequest: Request, @unchecked Sendable {
    /// How a file gets to its destination.
    public typealias Options = DownloadOptions

    /// Says where the file goes; asked once, on the manager's callback queue, when an acceptable head has arrived.
    ///
    /// `temporaryURL` is a place in the temporary directory that nothing has taken yet. A file that is put there is
    /// the caller's to remove, as at any other destination.
    public typealias Destination =
        @Sendable (
            _ temporaryURL: URL, _ response: HTTPURLResponse
        ) -> (destinationURL: URL, options: Options)

    /// Judges a complete file, before it is moved to its destination.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse, _ fileURL: URL?
        ) -> ValidationResult

    /// Where the complete file is; nil before that.
    ///
    /// Without a destination it is gone when the handlers have returned.
    public var fileURL: URL? { delegate.state.withLock { $0.fileURL } }

    /// What it takes to go on with a download that was cancelled for that, or broke; nil before the end, and where that
    /// is impossible.
    public var resumeData: Data? { error?.resumeData }

    /// Ends the request as cancelled, and keeps what it takes to go on with it or not.
    ///
    /// - Parameter shouldProduceResumeData: Whether it is kept, for ``resumeData`` and the handlers' responses.
    /// - Returns: The request.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        shouldProduceResumeData ? cancel(byProducingResumeData: { _ in }) : cancel()
    }

    /// Ends the request as cancelled, and tells what it takes to go on with it.
    ///
    /// - Parameter completionHandler: Called exactly once, on the manager's callback queue; with nil where the download
    ///   cannot be gone on with.
    /// - Returns: The request.
    @discardableResult
    public func cancel(
        byProducingResumeData completionHandler: @escaping @Sendable (_ data: Data?) -> Void
    ) -> Self {
        guard let task else {
            delegate.session.callbacks.dispatchQueue.async { completionHandler(nil) }
            return self
        }
        delegate.cancel(task, byProducingResumeData: completionHandler)
        return self
    }

    /// A destination in a directory, named as the response suggests, made safe as ``ResponseHead/suggestedFilename``
    /// says.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - options: How the file gets there; by default the directory must exist and nothing is replaced.
    /// - Returns: The destination.
    public static func suggestedDownloadDestination(
        in directory: URL, options: Options = []
    ) -> Destination {
        { _, response in
            let head = ResponseHead(
                statusCode: response.statusCode, headers: response.headers,
                url: response.url ?? directory)
            let name = head.suggestedFilename
            return (directory.appendingPathComponent(name, isDirectory: false), options)
        }
    }
}
