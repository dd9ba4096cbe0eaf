import Bluebonnet

/// An exchange on a cassette: a request and its outcome.
struct Interaction: Sendable {
    var request: RecordedRequest
    /// The response; nil if no head arrived.
    var response: RecordedResponse?
    var end = End.whole
    /// Whether any part of the request might have been sent; nil if the transport did not know.
    var wasSent: Bool?
    /// The line of the cassette on which the interaction begins; 0 if it is not from a cassette.
    var line = 0

    /// The end of an exchange.
    enum End: Sendable {
        /// The response was complete.
        case whole
        case failure(Exchange.Failure)
        /// The session canceled the exchange.
        case cancelled
    }
}

/// The request of an interaction.
struct RecordedRequest: Sendable {
    var method: String
    var url: String
    var fields: [Exchange.Field]
    /// The body; nil if it was not read to its end.
    var body: RecordedBody? = RecordedBody()

    /// The method and the URL, for errors.
    var summary: String { "\(method) \(url)" }
}

/// The response of an interaction, as the transport reported it.
struct RecordedResponse: Sendable {
    var statusCode: Int
    var fields: [Exchange.Field]
    /// The content codings; the body is without those that were removed.
    var codings: Exchange.ContentCodings?
    /// The protocol version, such as `HTTP/1.1`; empty if it is unknown.
    var version = ""
    /// The time from the request to the head; zero unless delays were recorded.
    var delay = Duration.zero
    var body = RecordedBody()
    var trailers: [Exchange.Field]?
}

/// The body of a request or a response.
struct RecordedBody: Sendable {
    var data = Data()
    /// Whether a cassette stores the body as JSON instead of bytes.
    var isJSON = false
    /// The pieces in which the body arrived; nil for a body that arrives at once.
    var pieces: [Piece]?

    struct Piece: Sendable {
        /// The delay before the piece.
        var delay: Duration
        var count: Int
    }
}

extension [Exchange.Field] {
    /// Returns the first value of a name; the case of names is ignored.
    func value(of name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the fields declare a JSON body by its media type.
    var declareJSON: Bool {
        let type = value(of: "Content-Type")?.split(separator: ";").first ?? ""
        let name = type.trimmingCharacters(in: .whitespaces).lowercased()
        return name == "application/json" || name.hasSuffix("+json")
    }
}
