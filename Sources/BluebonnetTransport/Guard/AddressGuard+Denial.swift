import Foundation
import FoundationNetworking

extension AddressGuard {
    /// A denial by a guard, and the reason for it.
    public struct Denial: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The rule that denied the request.
        public var rule: Rule
        /// The host of the URL, as libcurl parses it.
        public var host: String
        /// The port of the URL, or the default port of its scheme.
        public var port: Int
        /// The denied address, or nil if the URL or the route was denied.
        public var address: String?

        /// Creates a denial, for example in a stub transport.
        ///
        /// - Parameters:
        ///   - rule: The rule that denied the request.
        ///   - host: The host of the URL, with an IPv6 address without brackets.
        ///   - port: The port of the URL, or the default port of its scheme.
        ///   - address: The denied address. The default is nil, which means that the host is
        ///     denied.
        public init(rule: Rule, host: String, port: Int, address: String? = nil) {
            self.rule = rule
            self.host = host
            self.port = port
            self.address = address
        }

        /// A description of the denial, the reason for it, and how to allow the request.
        public var description: String {
            let place = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            let subject = address.map { "the address \($0) of \(place)" } ?? place
            return "the address guard denied \(subject): \(rule.reason)"
        }

        /// The failure of an exchange that ends with this denial.
        var failure: Exchange.Failure {
            var failure = Exchange.Failure(.cannotConnectToHost, message: description)
            failure.denial = self
            return failure
        }
    }

    /// A rule by which a guard denies a request.
    @nonexhaustive
    public enum Rule: String, Sendable, Hashable, Codable {
        /// The address of a cloud's metadata service, which returns credentials.
        case metadata
        /// An address of a private network (RFC 1918).
        case privateNetwork
        /// An address between a provider and its customers (RFC 6598).
        case sharedAddressSpace
        /// An address of the machine itself.
        case loopback
        /// An address on the same link (RFC 3927, RFC 4291).
        case linkLocal
        /// The unspecified address.
        case unspecified
        /// An address of a host on this network (RFC 791).
        case thisNetwork
        /// An address reserved for protocols rather than hosts (RFC 6890, RFC 2928).
        case protocolAssignments
        /// An address for examples (RFC 5737, RFC 3849, RFC 9637).
        case documentation
        /// An address for tests of devices (RFC 2544, RFC 5180).
        case benchmarking
        /// The address of a group of hosts.
        case multicast
        /// The address of all hosts on the network.
        case broadcast
        /// An address without a use so far.
        case reserved
        /// An address of a private IPv6 network (RFC 4193).
        case uniqueLocal
        /// An address of a private IPv6 network in the deprecated form (RFC 3879).
        case siteLocal
        /// An address whose packets routers discard (RFC 6666).
        case discardOnly
        /// An IPv6 address that contains an IPv4 address (RFC 4291).
        case ipv4Mapped
        /// An IPv6 address that contains an IPv4 address in the deprecated form (RFC 4291).
        case ipv4Compatible
        /// An IPv4 address for a translator in the local network (RFC 2765, RFC 8215).
        case ipv4Translated
        /// An IPv4 address behind a 6to4 relay, which was withdrawn (RFC 7526).
        case sixToFour
        /// An IPv4 address behind a Teredo tunnel (RFC 4380).
        case teredo
        /// An address in ``AddressGuard/deniedRanges``.
        case deniedRange
        /// A host in ``AddressGuard/deniedHosts``.
        case deniedHost
        /// A host that is not in ``AddressGuard/allowedHosts``.
        case hostNotAllowed
        /// An invalid pattern in ``AddressGuard/deniedHosts`` or ``AddressGuard/allowedHosts``.
        ///
        /// The hosts that it should match are unknown, so all are denied.
        case invalidPattern
        /// A port in ``AddressGuard/deniedPorts``.
        case deniedPort
        /// A port that is not in ``AddressGuard/allowedPorts``.
        case portNotAllowed
        /// A scheme that is not in ``AddressGuard/allowedSchemes``.
        case schemeNotAllowed
        /// A connection through a proxy, although ``AddressGuard/allowsProxies`` is false.
        case proxy
        /// A connection to a Unix socket, although ``AddressGuard/allowsUnixSockets`` is false.
        case unixSocket
        /// A connection whose address could not be determined.
        case unknownAddress
    }
}

extension AddressGuard.Rule {
    /// The reason for a denial, and how to allow the request, as a separate clause.
    var reason: String {
        switch self {
        case .deniedRange: "it is in one of deniedRanges"
        case .deniedHost: "the host is one of deniedHosts"
        case .hostNotAllowed: "the host is not one of allowedHosts"
        case .invalidPattern:
            """
            a pattern in deniedHosts or allowedHosts is invalid; use example.com, *.example.com or \
            an address, without scheme and port
            """
        case .deniedPort: "the port is one of deniedPorts"
        case .portNotAllowed: "the port is not one of allowedPorts"
        case .schemeNotAllowed: "the scheme is not one of allowedSchemes"
        case .proxy:
            """
            a proxy would connect to an address that cannot be checked here; if the proxy can be \
            trusted to check it, set allowsProxies
            """
        case .unixSocket:
            "the route leads to a Unix socket; if that is intended, set allowsUnixSockets"
        case .unknownAddress: "the address of the connection could not be determined"
        case .metadata:
            """
            it is the metadata service of a cloud; if that is intended, add exactly this address \
            to allowedRanges
            """
        default:
            "\(kindOfAddress); if that is intended, add its range to allowedRanges"
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
        case .protocolAssignments: "it is reserved for protocols"
        case .documentation: "it is reserved for documentation"
        case .benchmarking: "it is reserved for benchmarks"
        case .multicast: "it is a multicast group"
        case .broadcast: "it is the broadcast address"
        case .uniqueLocal, .siteLocal: "it is in a private IPv6 network"
        case .discardOnly: "routers discard packets to it"
        case .ipv4Mapped, .ipv4Compatible: "it is an IPv4 address in the form of an IPv6 address"
        case .ipv4Translated: "it is an IPv4 address for a translator in the local network"
        case .sixToFour: "it leads to a 6to4 relay"
        case .teredo: "it leads into a Teredo tunnel"
        default: "it is reserved"
        }
    }
}
