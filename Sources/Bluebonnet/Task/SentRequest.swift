import BluebonnetTransport
import Foundation

/// What was sent with an exchange, for redirects that lead in a circle to be noticed, and secrets
/// to be known when they are repeated.
///
/// All header fields count, since a cookie, or what a hook adds, can be what ends the circle. Of a
/// credential that the authentication adds it counts only whether there is one: the same Digest
/// field is never sent twice.
struct SentRequest: Hashable {
    let method: String
    let url: String
    /// The URL as Foundation has it.
    let location: URL?
    private let fields: [Exchange.Field]
    private let credential: [Exchange.Field]

    init(_ message: RequestMessage, to location: URL?, credential: [Exchange.Field]) {
        method = message.method
        url = message.url
        self.location = location
        fields = message.fields
        self.credential = credential
    }

    /// All header fields but those that follow from the exchange itself.
    var sentFields: [Exchange.Field] { fields + credential }

    /// Whether it may arrive twice.
    var isIdempotent: Bool { Exchange.isIdempotent(method: method, fields: fields) }

    /// The URL without its fragment, which is not sent.
    ///
    /// Asked for only once a redirect was followed; one is made for every exchange.
    private var target: Substring.UTF8View {
        url.utf8.prefix { $0 != UInt8(ascii: "#") }
    }

    static func == (left: SentRequest, right: SentRequest) -> Bool {
        left.method == right.method && left.target.elementsEqual(right.target)
            && left.fields == right.fields
            && left.credential.isEmpty == right.credential.isEmpty
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        for byte in target { hasher.combine(byte) }
    }
}
