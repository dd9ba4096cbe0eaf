import Foundation
import FoundationNetworking

// The transport counts while it receives. The session counts too, for any transport.
extension Exchange.Failure {
    package static func bodyTooLarge(_ limit: Int) -> Self {
        Self(
            .dataLengthExceedsMaximum,
            message: "the response's body is larger than the limit of \(limit) bytes",
            limit: .bodySize
        )
    }

    package static func headTooLarge(_ limit: Int) -> Self {
        .beyondLimit(.headSize, "the response's head is larger than \(limit) bytes")
    }

    package static func tooManyFields(_ limit: Int) -> Self {
        .beyondLimit(.fieldCount, "the response has more than \(limit) header fields")
    }

    package static func trailerTooLarge(_ limit: Int) -> Self {
        .beyondLimit(.trailerSize, "the response's trailer is larger than \(limit) bytes")
    }

    package static func tooManyTrailerFields(_ limit: Int) -> Self {
        .beyondLimit(.trailerFieldCount, "the response has more than \(limit) trailer fields")
    }

    static func beyondLimit(_ limit: Limit, _ message: String) -> Self {
        Self(.badServerResponse, message: message, limit: limit)
    }
}
