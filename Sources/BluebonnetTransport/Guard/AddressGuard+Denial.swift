import Foundation
import FoundationNetworking

extension AddressGuard {
    /// What a guard has denied, and why.
    public struct Denial: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The rule that denied it.
        public var rule: Rule
        /// The URL's host, as libcurl reads it.
        public var host: String
        /// The URL's port, or that of its scheme.
        public var port: Int
        /// The address that was denied; nil where the URL, or the route, was enough to know.
        public var address: String?

        /// Makes a denial, as a stub transport does.
        ///
        /// - Parameters:
        ///   - rule: The rule that denied it.
        ///   - host: The URL's host, an IPv6 address without brackets.
        ///   - port: The URL's port, or that of its scheme.
        ///   - address: The address that was denied; nil, the default, for the host as such.
        public init(rule: Rule, host: String, port: Int, address: String? = nil) {
            self.rule = rule
            self.host = host
            self.port = port
            self.address = address
        }

        /// What was denied, why, and what to do if it was meant to be allowed.
        public var description: String {
            let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            let subject = address.map { "the address \($0) of \(place)" } ?? place
            return "the address guard denied \(subject): \(rule.reason)"
        }

        /// The failure of an exchange that ends with this.
        var failure: Exchange.Failure {
            var failure = Exchange.Failure(.cannotConnectToHost, message: description)
            failure.denial = self
            return failure
        }
    }

    /// A reason to deny something.
    @nonexhaustive
    public enum Rule: String, Sendable, Hashable, Codable {
        /// A metadata service, which tells a cloud's credentials.
        case metadata
        /// Of a private network (RFC 1918).
        case privateNetwork
        /// Between a provider and its customers (RFC 6598).
        case sharedAddressSpace
        /// The machine itself.
        case loopback
        /// On the same link only (RFC 3927, RFC 4291).
        case linkLocal
        /// No address at all.
        case unspecified
        /// A host on this network (RFC 791).
        case thisNetwork
        /// Set aside for protocols, not hosts (RFC 6890, RFC 2928).
        case protocolAssignments
        /// For examples only (RFC 5737, RFC 3849, RFC 9637).
        case documentation
        /// For tests of devices (RFC 2544, RFC 5180).
        case benchmarking
        /// A group of hosts.
        case multicast
        /// All hosts of the network.
        case broadcast
        /// Of no use yet.
        case reserved
        /// Of a private network with IPv6 (RFC 4193).
        case uniqueLocal
        /// Of a private network with IPv6, as it used to be (RFC 3879).
        case siteLocal
        /// Thrown away by routers (RFC 6666).
        case discardOnly
        /// An IPv4 address in an IPv6 one (RFC 4291).
        case ipv4Mapped
        /// An IPv4 address in an IPv6 one, as it used to be (RFC 4291).
        case ipv4Compatible
        /// An IPv4 address for a translator in the local network (RFC 2765, RFC 8215).
        case ipv4Translated
        /// An IPv4 address behind relays that were withdrawn (RFC 7526).
        case sixToFour
        /// An IPv4 address behind a tunnel (RFC 4380).
        case teredo
        /// In ``AddressGuard/deniedRanges``.
        case deniedRange
        /// In ``AddressGuard/deniedHosts``.
        case deniedHost
        /// Not in ``AddressGuard/allowedHosts``.
        case hostNotAllowed
        /// A pattern in ``AddressGuard/deniedHosts`` or ``AddressGuard/allowedHosts`` is none, so that
        /// nobody knows which hosts are meant.
        case invalidPattern
        /// In ``AddressGuard/deniedPorts``.
        case deniedPort
        /// Not in ``AddressGuard/allowedPorts``.
        case portNotAllowed
        /// Not in ``AddressGuard/allowedSchemes``.
        case schemeNotAllowed
        /// A proxy would connect, and ``AddressGuard/allowsProxies`` is false.
        case proxy
        /// It would be a Unix socket, and ``AddressGuard/allowsUnixSockets`` is false.
        case unixSocket
        /// The connection's address could not be found out.
        case unknownAddress
    }
}

extension AddressGuard.Rule {
    /// Why, and what would allow it, in words that stand on their own.
    var reason: String {
        switch self {
        case .deniedRange: "it is in one of deniedRanges"
        case .deniedHost: "the host is one of deniedHosts"
        case .hostNotAllowed: "the host is none of allowedHosts"
        case .invalidPattern:
            """
            a pattern of deniedHosts or allowedHosts is none; write example.com, *.example.com or an \
            address, without scheme and port
            """
        case .deniedPort: "the port is one of deniedPorts"
        case .portNotAllowed: "the port is none of allowedPorts"
        case .schemeNotAllowed: "the scheme is none of allowedSchemes"
        case .proxy:
            """
            a proxy would connect to an address that cannot be judged here; if the proxy may be \
            trusted to judge it, set allowsProxies
            """
        case .unixSocket: "the route leads to a Unix socket; set allowsUnixSockets if that is meant"
        case .unknownAddress: "the connection's address could not be found out"
        case .metadata:
            """
            it is the metadata service of a cloud; if that is meant, add the very address to \
            allowedRanges
            """
        default:
            "\(kindOfAddress); if that is meant, add its range to allowedRanges"
        }
    }

    private var kindOfAddress: String {
        switch self {
        case .privateNetwork: "it is in a private network"
        case .sharedAddressSpace: "it is in the address space that providers share with customers"
        case .loopback: "it is this machine"
        case .linkLocal: "it is on the local link"
        case .unspecified: "it is the unspecified address"
        case .thisNetwork: "it is on this network"
        case .protocolAssignments: "it is set aside for protocols"
        case .documentation: "it is set aside for documentation"
        case .benchmarking: "it is set aside for benchmarks"
        case .multicast: "it is a multicast group"
        case .broadcast: "it is the broadcast address"
        case .uniqueLocal, .siteLocal: "it is in a private network of IPv6"
        case .discardOnly: "routers discard what goes there"
        case .ipv4Mapped, .ipv4Compatible: "it is an IPv4 address written as one of IPv6"
        case .ipv4Translated: "it is an IPv4 address for a translator in the local network"
        case .sixToFour: "it leads to a relay of 6to4"
        case .teredo: "it leads into a tunnel of Teredo"
        default: "it is reserved"
        }
    }
}
