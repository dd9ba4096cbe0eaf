/// The protection space of a credential (RFC 9110 section 11.5).
struct ProtectionSpaceKey: Sendable, Hashable {
    let party: AuthenticationParty
    let origin: AuthenticationOrigin
    let realm: String
}
