/// Why a part of a form could not be appended or sent, and which.
public struct MultipartFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file could not be read, or is not what it was when it was appended.
        case file(FileFailure)
        /// The stream could not be read, or is not as long as announced.
        case stream(StreamFailure)
        /// A header field of the part cannot be sent.
        case header(RequestSerializationError)
        /// The length is negative, or makes the body longer than 2^63 - 1 bytes.
        case length(Int64)
        /// The part's data holds the boundary that the form was given.
        case boundary(String)
        /// The file has no extension, from which its type would be known.
        case fileName(String)
    }

    /// The name of the part's field; nil for one with headers of its own.
    public let partName: String?
    /// The part's place in the form, counting from 1; parameters come first.
    public let partNumber: Int
    /// What is wrong with it.
    public let reason: Reason

    /// The part, and what is wrong with it.
    public var description: String {
        let name = partName.map { " \($0.quoted)" } ?? ""
        return "part \(partNumber)\(name) of the form: \(reasonText)"
    }

    private var reasonText: String {
        switch reason {
        case .file(let failure): failure.description
        case .stream(let failure): failure.description
        case .header(let error): error.description
        case .length(let length): "a length of \(length) bytes is not possible"
        case .fileName(let name):
            """
            the file \(name.quoted) has no extension that would tell its type; append it with a \
            fileName and a mimeType
            """
        case .boundary(let text): "its data holds the boundary \(text.quoted); give another"
        }
    }
}
