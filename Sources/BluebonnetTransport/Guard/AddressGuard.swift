/// Says which hosts and addresses requests may go to, whoever chose their URLs.
///
/// For a service that fetches what its users name: with `configuration.addressGuard =
/// .publicInternetOnly` no request reaches the service's own network, whatever the URL, the DNS or
/// a redirect says. Scheme, port and host of every URL are judged before anything is done for it,
/// redirects and requests that a hook has changed included. Addresses are judged when a connection
/// is made, so that no name can have another by then, and once more before each request on a
/// connection that is open already. Of a name's addresses only the denied ones are left out.
///
/// A pool keeps one guard for its whole life, and so does a manager: its configuration is read when
/// it is made. Other rules take another manager, which has connections of its own.
public struct AddressGuard: Sendable, Hashable {
    /// Ranges to allow though they are no part of the public internet; default none.
    ///
    /// The address of a cloud's metadata service is allowed only by a range of that address alone.
    /// An IPv6 address with an IPv4 address in it is allowed only if both are.
    public var allowedRanges: [AddressRange] = []
    /// Ranges to deny, whatever else allows them; default none.
    ///
    /// One of IPv4 also denies the IPv6 addresses that hold one of its addresses.
    public var deniedRanges: [AddressRange] = []
    /// The only hosts that URLs may name; nil for any.
    ///
    /// Default nil. Their addresses are judged all the same.
    public var allowedHosts: Set<HostPattern>?
    /// Hosts that URLs may not name, whatever else allows them; default none.
    ///
    /// Another name for the same machine is not among them: to close it off, deny its range.
    public var deniedHosts: Set<HostPattern> = []
    /// The only ports of URLs; nil for any.
    ///
    /// Default nil. Without a port in it a URL has 80, with `https` 443.
    public var allowedPorts: Set<Int>?
    /// Ports that URLs may not have; default none.
    public var deniedPorts: Set<Int> = []
    /// The schemes that URLs may have; default both.
    public var allowedSchemes: Set<Scheme> = [.http, .https]
    /// Whether requests may go through a proxy of the route; default false.
    ///
    /// Of what a proxy connects to nothing is known here: addresses in URLs are judged, but those
    /// of names are the proxy's to look up and to judge. The proxy's own address is the route's
    /// choice and is not judged.
    public var allowsProxies = false
    /// Whether requests may go to the route's Unix socket; default false.
    ///
    /// The URL is judged all the same.
    public var allowsUnixSockets = false

    /// Makes a guard that allows the public internet, as ``publicInternetOnly`` does.
    public init() {}

    /// Any host of the public internet, on any port.
    ///
    /// Denied are private, shared (RFC 6598), loopback, link-local, unique-local and site-local,
    /// multicast and broadcast, unspecified, benchmark, documentation and reserved addresses, the
    /// metadata services of clouds, and IPv6 addresses made of an IPv4 address: mapped, compatible,
    /// 6to4, Teredo and the local forms of NAT64. Of the public form of NAT64, `64:ff9b::/96`, on
    /// which machines without IPv4 depend, the IPv4 address decides.
    public static let publicInternetOnly = AddressGuard()

    /// A scheme that URLs may have.
    public enum Scheme: String, Sendable, Hashable {
        /// HTTP in plain text.
        case http
        /// HTTP over TLS.
        case https
    }
}
