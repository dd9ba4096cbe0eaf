public import Foundation

/// How far a call is.
public struct ProgressResponse: Sendable {
    /// The response; nil until it is complete, and of a call that failed.
    public let response: TargetResponse?
    /// How many bytes were sent or received; nil at the end.
    public let progressObject: Progress?

    /// Makes one of the progress, or of the response.
    public init(progress: Progress? = nil, response: TargetResponse? = nil) {
        progressObject = progress
        self.response = response
    }

    /// The fraction from 0 to 1; 0 while the length is not known, and 1 with a response.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether there is a response.
    public var completed: Bool { response != nil }
}
