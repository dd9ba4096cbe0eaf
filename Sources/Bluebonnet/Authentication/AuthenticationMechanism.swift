/// A supported scheme with the parameters of its challenge.
enum AuthenticationMechanism<Digest: Sendable>: Sendable {
    case basic(usesUTF8: Bool)
    case digest(Digest)

    var scheme: AuthenticationScheme {
        switch self {
        case .basic: .basic
        case .digest: .digest
        }
    }
}
