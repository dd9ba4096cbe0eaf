/// An error thrown while the content codings of a response are removed.
package enum ContentDecodingError: Error, Equatable, Sendable {
    /// The response names a coding that this library cannot remove.
    case unknownCoding(String)
    /// The response names more codings than are accepted. The first value is how many it names.
    case tooManyCodings(Int, accepted: Int)
    /// The bytes are not a valid stream of the coding.
    case corrupt(coding: String, detail: String)
    /// The body ended inside a stream of the coding.
    case truncated(coding: String)
    /// The stream needs a larger window than the decoder keeps. `limit` is in bytes.
    case windowTooLarge(coding: String, limit: Int)
    /// Memory for a decoder could not be allocated.
    case outOfMemory
}

extension ContentDecodingError: CustomStringConvertible {
    /// The error as a sentence fragment for a log line.
    package var description: String {
        switch self {
        case .unknownCoding(let name):
            // The name comes from the peer, and quoting escapes control characters.
            "unknown content coding \(name.debugDescription)"
        case .tooManyCodings(let count, let accepted):
            "\(count) content codings, more than the \(accepted) accepted"
        case .corrupt(let coding, let detail):
            "corrupt \(coding) content: \(detail)"
        case .truncated(let coding):
            "\(coding) content ended before its stream was complete"
        case .windowTooLarge(let coding, let limit):
            "\(coding) content needs a window larger than \(limit) bytes"
        case .outOfMemory:
            "out of memory while decoding content"
        }
    }
}
