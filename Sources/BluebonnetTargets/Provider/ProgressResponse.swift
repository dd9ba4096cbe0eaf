public import BluebonnetChain

/// The progress of a call.
public struct ProgressResponse: Sendable {
    /// The response; nil until it is complete, and nil if the call failed.
    public let response: TargetResponse?
    /// The number of bytes sent or received; nil at the end.
    public let progressObject: Progress?

    /// Creates a value with the progress or with the response.
    public init(progress: Progress? = nil, response: TargetResponse? = nil) {
        progressObject = progress
        self.response = response
    }

    /// The fraction from 0 to 1; 0 while the length is unknown, and 1 with a response.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether there is a response.
    public var completed: Bool { response != nil }
}

/// Moya's name for the closure that receives the progress of a call.
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void
