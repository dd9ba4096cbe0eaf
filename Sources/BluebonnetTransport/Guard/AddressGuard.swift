/// Rules for the hosts and addresses to which requests may go.
///
/// Use it in a service that fetches URLs of its users. With `configuration.addressGuard =
/// .publicInternetOnly`, no request reaches the service's own network, whatever the URL, DNS or a
/// redirect contains.
///
/// The guard checks the scheme, port and host of every URL before the request starts, including
/// redirects and requests that a hook has changed. It checks addresses when a connection is opened,
/// so that a name cannot change its address in between. It checks them again before each request on
/// an open connection. If a name has several addresses, only the denied ones are skipped.
///
/// A pool keeps its guard for its lifetime. So does a manager, which reads its configuration when
/// it is created. For other rules, create another manager, which has its own connections.
public struct AddressGuard: Sendable, Hashable {
    /// The ranges to allow although they are not part of the public internet.
    ///
    /// The default is empty. The address of a cloud's metadata service is allowed only by a range
    /// that contains no other address. An IPv6 address that contains an IPv4 address is allowed
    /// only if both are.
    public var allowedRanges: [AddressRange] = []
    /// The ranges to deny, even if other rules allow them.
    ///
    /// The default is empty. An IPv4 range also denies the IPv6 addresses that contain one of its
    /// addresses.
    public var deniedRanges: [AddressRange] = []
    /// The only hosts that URLs may name, or nil for any host.
    ///
    /// The default is nil. The addresses of these hosts are checked too.
    public var allowedHosts: Set<HostPattern>?
    /// The hosts that URLs may not name, even if other rules allow them.
    ///
    /// The default is empty. A machine can have other names. To block the machine, deny its range.
    public var deniedHosts: Set<HostPattern> = []
    /// The only ports that URLs may have, or nil for any port.
    ///
    /// The default is nil. A URL without a port has port 80, or port 443 with `https`.
    public var allowedPorts: Set<Int>?
    /// The ports that URLs may not have.
    ///
    /// The default is empty.
    public var deniedPorts: Set<Int> = []
    /// The schemes that URLs may have.
    ///
    /// The default is both.
    public var allowedSchemes: Set<Scheme> = [.http, .https]
    /// Whether requests may go through a proxy of the route.
    ///
    /// The default is false. The guard checks addresses in URLs, but a proxy itself looks up names,
    /// and must check their addresses. The address of the proxy comes from the route and is not
    /// checked.
    public var allowsProxies = false
    /// Whether requests may go to the route's Unix socket.
    ///
    /// The default is false. The URL is checked in any case.
    public var allowsUnixSockets = false

    /// Creates a guard that allows the public internet, like ``publicInternetOnly``.
    public init() {}

    /// A guard that allows any host of the public internet, on any port.
    ///
    /// It denies these addresses:
    ///
    /// - Private, shared (RFC 6598), loopback, link-local, unique-local and site-local addresses.
    /// - Multicast, broadcast and unspecified addresses.
    /// - Addresses for benchmarks and documentation, and reserved addresses.
    /// - The metadata services of clouds.
    /// - IPv6 addresses that contain an IPv4 address: mapped, compatible, 6to4, Teredo and the
    ///   local forms of NAT64.
    ///
    /// Machines without IPv4 depend on the public form of NAT64, `64:ff9b::/96`. Such an address is
    /// allowed if the IPv4 address in it is.
    public static let publicInternetOnly = AddressGuard()

    /// A scheme that URLs may have.
    public enum Scheme: String, Sendable, Hashable {
        /// HTTP in plain text.
        case http
        /// HTTP over TLS.
        case https
    }
}
