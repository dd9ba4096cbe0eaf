/// An error that describes why resume data cannot be used.
public struct ResumeDataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem with the resume data.
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// The problem and how to fix it.
    public var description: String {
        "the resume data cannot be used: \(reason); start the download from the beginning"
    }
}
