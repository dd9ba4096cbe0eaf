/// Why resume data cannot be used.
public struct ResumeDataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }

    /// What is wrong, and what to do.
    public var description: String {
        "the resume data cannot be used: \(reason); start the download from the beginning"
    }
}
