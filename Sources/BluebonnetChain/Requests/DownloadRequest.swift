public import Bluebonnet

/// Alamofire's name for a task whose response is written to a file.
public typealias DownloadRequest = DownloadTask

extension DownloadRequest {
    /// Options for moving a file to its destination.
    public typealias Options = DownloadOptions

    /// A closure that returns the destination of a file.
    ///
    /// It is called once, on the manager's callback queue, when an acceptable head has arrived.
    /// `temporaryURL` is an unused location in the temporary directory. As with any other
    /// destination, the caller must remove a file that is stored there.
    public typealias Destination =
        @Sendable (
            _ temporaryURL: URL, _ response: HTTPURLResponse
        ) -> (destinationURL: URL, options: Options)

    /// A closure that validates a complete file before it is moved to its destination.
    public typealias Validation =
        @Sendable (
            _ request: URLRequest?, _ response: HTTPURLResponse, _ fileURL: URL?
        ) -> ValidationResult

    /// The URL of the complete file; nil before it is complete.
    ///
    /// Without a destination, the file is removed after the handlers have returned.
    public var fileURL: URL? { delegate.file.url }

    /// The data for resuming a download that failed or was canceled for that purpose.
    ///
    /// It is nil before the request has ended, and if the download cannot be resumed.
    public var resumeData: Data? { error?.resumeData }

    /// Cancels the request and optionally keeps the data for resuming it.
    ///
    /// - Parameter shouldProduceResumeData: Whether to keep the data for ``resumeData`` and for the
    ///   responses of the handlers.
    /// - Returns: The request.
    @discardableResult
    public func cancel(producingResumeData shouldProduceResumeData: Bool) -> Self {
        shouldProduceResumeData ? cancel(byProducingResumeData: { _ in }) : cancel()
    }

    /// Returns a destination in a directory, with the file name that the response suggests.
    ///
    /// The name is sanitized as described for ``/Bluebonnet/ResponseHead/suggestedFilename``.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - options: Options for moving the file. By default, the directory must exist and no file
    ///     is replaced.
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

    /// Alamofire's destination in a directory of the user, which a server does not have.
    @available(
        *, unavailable, message: "name the directory: suggestedDownloadDestination(in:options:)"
    )
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        in domain: FileManager.SearchPathDomainMask = .userDomainMask, options: Options = []
    ) -> Destination {
        suggestedDownloadDestination(in: URL(filePath: "/"), options: options)
    }
}
