import Foundation

/// The rule that divides a stream into records.
///
/// A record of more than 1 MiB fails the request; ``limited(to:)`` changes that. How the network
/// cuts the body makes no difference, except for ``chunk``.
public struct StreamFraming: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case lines, jsonLines, jsonSequence, chunk
        case events(until: String?)
        case lengthPrefixed(LengthPrefix)
    }

    /// How a length is written before its message.
    public enum LengthPrefix: Sendable, Hashable {
        /// Seven bits in each byte, the lowest ones first, as Protocol Buffers have it.
        case varint
        /// Four bytes, the highest one first.
        case bigEndian32
    }

    let kind: Kind
    private(set) var maximumLength = 1_048_576

    init(_ kind: Kind) { self.kind = kind }

    var isOfEvents: Bool {
        if case .events = kind { true } else { false }
    }

    /// Each line is a record, also an empty one; it ends with LF, CR LF or CR, or with the body.
    public static let lines = StreamFraming(.lines)

    /// Each line is a JSON text, as in JSON Lines and NDJSON.
    ///
    /// A line ends with LF or CR LF. Empty lines are skipped. The last line can also end with the
    /// body.
    public static let jsonLines = StreamFraming(.jsonLines)

    /// The data of each server-sent event is a record (WHATWG HTML, 9.2).
    public static let events = StreamFraming(.events(until: nil))

    /// The data of each server-sent event is a record, until an event whose data is a given text.
    ///
    /// Services that stream the answers of a language model end with the data `[DONE]`. A body that
    /// ends without it is an error after the last record, because it may have been cut.
    ///
    /// - Parameter lastData: The data of the event that ends the records, which is not a record
    ///   itself, such as `[DONE]`.
    /// - Returns: The framing.
    public static func events(until lastData: String) -> StreamFraming {
        StreamFraming(.events(until: lastData))
    }

    /// Each element of a JSON text sequence is a record (RFC 7464).
    ///
    /// An element that is cut, or cannot be decoded, is an error. Another call of `next()` returns
    /// the element after it.
    public static let jsonSequence = StreamFraming(.jsonSequence)

    /// A length is written before each record.
    public static func lengthPrefixed(_ prefix: LengthPrefix = .varint) -> StreamFraming {
        StreamFraming(.lengthPrefixed(prefix))
    }

    /// Each piece is a record as it arrives.
    ///
    /// The network determines the size of a piece, so a value can be split.
    public static let chunk = StreamFraming(.chunk)

    /// Returns this framing with another maximum length of a record, in bytes.
    public func limited(to maximumLength: Int) -> StreamFraming {
        var framing = self
        // So that a byte can be added to it.
        framing.maximumLength = min(max(maximumLength, 0), .max - 1)
        return framing
    }
}
