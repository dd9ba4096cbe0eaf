public import Foundation

/// Decides which servers are trusted.
///
/// Certificates are always verified, host name included. A manager whose policy changes uses new
/// connections for the tasks that it makes from then on.
public struct SecurityPolicy: Sendable, Hashable {
    /// A file of PEM certificates to trust instead of the system's; nil for the system's.
    public var certificateAuthorities: URL?

    /// Makes a policy; the default trusts the system's certificate authorities.
    public init(certificateAuthorities: URL? = nil) {
        self.certificateAuthorities = certificateAuthorities
    }
}
