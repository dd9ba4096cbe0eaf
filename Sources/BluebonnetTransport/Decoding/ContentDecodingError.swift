/// The ways removing a response's content codings can fail.
package enum ContentDecodingError: Error, Equatable, Sendable {
    /// The response names a coding this library cannot remove.
    case unknownCoding(String)
    /// The response names more codings than are accepted; the first value is how many it named.
    case tooManyCodings(Int, accepted: Int)
    /// The bytes are not a valid stream of the coding.
    case corrupt(coding: String, detail: String)
    /// The body ended inside a stream of the coding.
    case truncated(coding: String)
    /// The stream asks for more history than the decoder keeps; `limit` is in bytes.
    case windowTooLarge(coding: String, limit: Int)
    /// Memory for a decoder could not be allocated.
    case outOfMemory
}

extension ContentDecodingError: CustomStringConvertible {
    /// The failure as a sentence fragment fit for a log line.
    package var description: String {
        switch self {
        case .unknownCoding(let name):
            // The name comes from the peer: quoting escapes control characters.
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
