/// An error that occurs when a part of a form cannot be appended or sent.
public struct MultipartFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file could not be read, or has changed since it was appended.
        case file(FileFailure)
        /// The stream could not be read, or its length differs from the announced one.
        case stream(StreamFailure)
        /// A header field of the part cannot be sent.
        case header(RequestSerializationError)
        /// The length is negative, or makes the body longer than 2^63 - 1 bytes.
        case length(Int64)
        /// The part's data contains the boundary that was set for the form.
        case boundary(String)
        /// The file has no extension from which to derive its type.
        case fileName(String)
    }

    /// The name of the part's field; nil for a part with its own header fields.
    public let partName: String?
    /// The position of the part in the form, counting from 1; parameters come first.
    public let partNumber: Int
    /// What is wrong with the part.
    public let reason: Reason

    /// The part and what is wrong with it.
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
            the file \(name.quoted) has no extension to derive its type from; append it with a \
            fileName and a mimeType
            """
        case .boundary(let text): "its data contains the boundary \(text.quoted); set another"
        }
    }
}
