import CBluebonnet
import Glibc

/// The questions of one exchange to its pool's address guard, and what that denied.
///
/// The guard is asked for the URL before the loop has the exchange, for each address before a socket
/// is opened for it, and for the connection before the request is sent. Once the loop has the exchange,
/// it lives on the loop thread.
// Not a value: most exchanges have none, and the guard is large.
final class AddressCheck {
    private let addressGuard: AddressGuard
    private let route: Exchange.Route
    private let url: String
    /// The first address that was denied.
    private(set) var denial: AddressGuard.Denial?
    /// Whether there was an address that was not.
    private(set) var hasAllowedAddress = false

    init(of exchange: borrowing Exchange, by addressGuard: AddressGuard) {
        self.addressGuard = addressGuard
        route = exchange.pool.route
        url = exchange.url
    }

    /// Throws if the guard denies the URL or the way to it; called before anything is started.
    func checkURL() throws(Exchange.Failure) {
        try addressGuard.check(url, on: route)
    }

    /// Returns whether a socket may be connected to an address, and notes it if not.
    func allows(_ address: PeerAddress, isProxy: Bool) -> Bool {
        allows(rule(against: address.ipAddress, isProxy: isProxy), address.ipAddress)
    }

    /// Returns whether a Unix socket may be connected to, and notes it if not.
    func allowsUnixSocket() -> Bool { allows(unixRule, nil) }

    private func allows(_ rule: AddressGuard.Rule?, _ address: IPAddress?) -> Bool {
        guard let rule else {
            hasAllowedAddress = true
            return true
        }
        denial = denial ?? makeDenial(rule, address)
        return false
    }

    /// What denies a connection, which may have been made for another exchange; nil for nothing.
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
