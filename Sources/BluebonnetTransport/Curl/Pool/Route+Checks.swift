import Foundation
import FoundationNetworking
import Glibc

extension Exchange.Route {
    /// Throws a failure that names the first value that cannot be used, without revealing secrets.
    func check() throws(Exchange.Failure) {
        for (name, proxy) in [("httpProxy", httpProxy), ("httpsProxy", httpsProxy)] {
            guard let proxy else { continue }
            if let fault = proxy.fault {
                throw .unusableRoute("the route's \(name) has \(fault)")
            }
        }
        guard unixSocketPath == nil || (httpProxy == nil && httpsProxy == nil) else {
            throw .unusableRoute("the route has both a proxy and a Unix socket")
        }
        for entry in noProxy where ProxyException(entry) == nil {
            throw .unusableRoute(
                """
                the route's noProxy has the entry \(entry.prefix(200).debugDescription), which is \
                not a host, a pattern such as *.example.com, a network, or one of these with a port
                """)
        }
        if let unixSocketPath { try Self.check(unixSocketPath: unixSocketPath) }
        for override in addressOverrides { try override.check() }
        try checkSource()
    }

    private static func check(unixSocketPath path: String) throws(Exchange.Failure) {
        let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        guard !path.isEmpty, path.utf8.count < capacity, !path.utf8.contains(0) else {
            throw .unusableRoute(
                "the route's unixSocketPath is not a path of 1 to \(capacity - 1) bytes")
        }
    }

    private func checkSource() throws(Exchange.Failure) {
        switch source {
        case .address(let text) where !text.isNumericAddress:
            throw .unusableRoute("the route's source is not an IPv4 or IPv6 address")
        case .interface(let name)
        where !(1..<Int(IFNAMSIZ)).contains(name.utf8.count)
            || !name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F && $0 != 0x21 }:
            throw .unusableRoute("the route's source is not the name of a network interface")
        default: break
        }
    }
}

extension Exchange.Route.AddressOverride {
    fileprivate func check() throws(Exchange.Failure) {
        guard host.isHostName || host.isNumericAddress else {
            throw .unusableRoute(
                """
                an address override of the route has a host that is neither an address nor a name \
                of letters, digits, dots, hyphens, and underscores
                """)
        }
        guard (1...65_535).contains(port) else {
            throw .unusableRoute("the address override for \(host) has a port outside 1 to 65535")
        }
        guard !addresses.isEmpty, addresses.allSatisfy(\.isNumericAddress) else {
            throw .unusableRoute(
                "the address override for \(host) needs addresses, and each must be IPv4 or IPv6")
        }
    }
}

extension Exchange.Route.Proxy {
    /// What is wrong with the proxy, in words that follow "has", or nil if it is valid.
    fileprivate var fault: String? {
        if !host.isHostName, !host.isNumericAddress { return "an invalid host" }
        if !(1...65_535).contains(port) { return "a port outside 1 to 65535" }
        if username == nil, password != nil { return "a password without a user name" }
        if (username ?? "").contains(":"), scheme != .socks5h {
            return "a colon in its user name, which Basic authentication cannot carry"
        }
        for text in [username, password] {
            if let text, text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
                return "a control character in its user name or password"
            }
            if scheme == .socks5h, let text, text.utf8.count > 255 {
                return "a user name or password of more than 255 bytes"
            }
        }
        return fields.lazy.compactMap(Self.fault(in:)).first
    }

    private static func fault(in field: Exchange.Field) -> String? {
        if field.name.isEmpty || !field.name.utf8.allSatisfy(\.isTokenByte) {
            return "a header field whose name is not a token"
        }
        let isValid = !field.value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
        return isValid ? nil : "a control character in the value of its header field \(field.name)"
    }
}

extension String {
    /// Whether the string is an ASCII host name that a URL can contain.
    fileprivate var isHostName: Bool {
        !isEmpty && utf8.count <= 253
            && utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                    || byte == UInt8(ascii: "_") || byte.isAlphanumeric
            }
    }

    fileprivate var isNumericAddress: Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, self, &address) == 1 || inet_pton(AF_INET6, self, &address) == 1
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(asciiLowercased)
    }
}

extension Exchange.Failure {
    static func unusableRoute(_ message: String) -> Self {
        Self(.badURL, message: message)
    }
}
