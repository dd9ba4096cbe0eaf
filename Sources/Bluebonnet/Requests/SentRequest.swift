import BluebonnetTransport
import Foundation

/// The request of an exchange, kept to detect circular redirects and to recognize repeated secrets.
///
/// All header fields are compared, because a cookie, or a field that a hook adds, can end the
/// circle. Of a credential from the authentication, only its presence is compared, because the same
/// Digest field is never sent twice.
struct SentRequest: Hashable {
    let method: String
    let url: String
    /// The URL as a Foundation value.
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

    /// All header fields except those that are derived from the exchange.
    var sentFields: [Exchange.Field] { fields + credential }

    /// Whether the request can safely arrive twice.
    var isIdempotent: Bool { Exchange.isIdempotent(method: method, fields: fields) }

    /// The URL without its fragment, which is not sent.
    ///
    /// It is computed on demand, because it is needed only after a redirect.
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
