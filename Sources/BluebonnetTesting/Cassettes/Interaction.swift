import Bluebonnet

/// One exchange as a cassette has it: a request, and what came of it.
struct Interaction: Sendable {
    var request: RecordedRequest
    /// Nil where no head came.
    var response: RecordedResponse?
    var end = End.whole
    /// Whether anything of the request may have been sent; nil where the transport did not know.
    var wasSent: Bool?
    /// The line of the cassette on which it begins; 0 if it comes from none.
    var line = 0

    /// How an exchange ended.
    enum End: Sendable {
        /// With the whole response.
        case whole
        case failure(Exchange.Failure)
        /// The session did not want more of it.
        case cancelled
    }
}

/// The request of an interaction.
struct RecordedRequest: Sendable {
    var method: String
    var url: String
    var fields: [Exchange.Field]
    /// Nil if the body was not read to its end.
    var body: RecordedBody? = RecordedBody()

    /// Method and URL, as errors show them.
    var summary: String { "\(method) \(url)" }
}

/// The response of an interaction, as the transport reported it.
struct RecordedResponse: Sendable {
    var statusCode: Int
    var fields: [Exchange.Field]
    /// What became of the content codings; the body is without those that were removed.
    var codings: Exchange.ContentCodings?
    /// Such as `HTTP/1.1`; empty if it is not known.
    var version = ""
    /// The time from the request to the head; zero unless that was to be recorded.
    var delay = Duration.zero
    var body = RecordedBody()
    var trailers: [Exchange.Field]?
}

/// The body of a request or a response.
struct RecordedBody: Sendable {
    var data = Data()
    /// Whether a cassette has it as JSON, and not as the bytes that it is.
    var isJSON = false
    /// The pieces in which it came; nil for one that comes at once.
    var pieces: [Piece]?

    struct Piece: Sendable {
        /// The time before it.
        var delay: Duration
        var count: Int
    }
}

extension [Exchange.Field] {
    /// The first value of a name, whatever the case it is written in.
    func value(of name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the body that they describe is JSON, by its media type.
    var declareJSON: Bool {
        let type = value(of: "Content-Type")?.split(separator: ";").first ?? ""
        let name = type.trimmingCharacters(in: .whitespaces).lowercased()
        return name == "application/json" || name.hasSuffix("+json")
    }
}
