import CBluebonnet
import Glibc

/// The checks of one exchange by its pool's address guard, and the first denial.
///
/// The guard checks the URL before the loop gets the exchange, each address before a socket is
/// opened for it, and the connection before the request is sent. Once the loop has the exchange,
/// this object is used only on the loop thread.
// A class, because most exchanges have none and the guard is large.
final class AddressCheck {
    private let addressGuard: AddressGuard
    private let route: Exchange.Route
    private let url: String
    /// The denial of the first address that was denied, or nil if none was.
    private(set) var denial: AddressGuard.Denial?
    /// Whether the guard has allowed an address.
    private(set) var hasAllowedAddress = false

    init(of exchange: borrowing Exchange, by addressGuard: AddressGuard) {
        self.addressGuard = addressGuard
        route = exchange.pool.route
        url = exchange.url
    }

    /// Throws if the guard denies the URL or the route to it.
    ///
    /// Called before the exchange is started.
    func checkURL() throws(Exchange.Failure) {
        try addressGuard.check(url, on: route)
    }

    /// Returns whether the guard allows a connection to an address, and records the denial if not.
    func allows(_ address: PeerAddress, isProxy: Bool) -> Bool {
        allows(rule(against: address.ipAddress, isProxy: isProxy), address.ipAddress)
    }

    /// Returns whether the guard allows a Unix socket, and records the denial if not.
    func allowsUnixSocket() -> Bool { allows(unixRule, nil) }

    private func allows(_ rule: AddressGuard.Rule?, _ address: IPAddress?) -> Bool {
        guard let rule else {
            hasAllowedAddress = true
            return true
        }
        denial = denial ?? makeDenial(rule, address)
        return false
    }

    /// Returns the denial of a connection, or nil if it is allowed.
    ///
    /// The connection may have been opened for another exchange.
    func denial(ofConnectionTo address: UnsafePointer<CChar>?, isProxy: Bool) -> AddressGuard
        .Denial?
    {
        guard route.unixSocketPath == nil else { return nil }
        let address = address.flatMap { IPAddress(cString: $0) }
        return rule(against: address, isProxy: isProxy).map { makeDenial($0, address) }
    }

    private var unixRule: AddressGuard.Rule? { addressGuard.allowsUnixSockets ? nil : .unixSocket }

    private func rule(against address: IPAddress?, isProxy: Bool) -> AddressGuard.Rule? {
        guard !isProxy else { return addressGuard.allowsProxies ? nil : .proxy }
        guard let address else { return .unknownAddress }
        return addressGuard.rule(against: address)
    }

    private func makeDenial(
        _ rule: AddressGuard.Rule, _ address: IPAddress?
    ) -> AddressGuard.Denial {
        let authority = URLAuthority(of: url)
        return AddressGuard.Denial(
            rule: rule, host: authority?.hostText ?? "", port: authority?.port ?? 0,
            address: address?.description)
    }
}
