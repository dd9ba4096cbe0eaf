public import Foundation
import Synchronization

extension Exchange {
    /// A set of connections that exchanges may share, and nobody else.
    ///
    /// Trust, route, address guard, version and limits belong to the pool, so no exchange rides on a connection
    /// that was made under other rules. Connections close when the last reference to the pool goes.
    public final class Pool: Sendable {
        /// Connections, and so exchanges under way, to one scheme, host and port; default 64.
        ///
        /// The host is the URL's, also where a proxy stands between: connections to a proxy are
        /// limited by ``maximumConnections`` alone.
        public let maximumConnectionsPerHost: Int
        /// Connections, and so exchanges under way, in all; default 512.
        ///
        /// The last sixteenth, at most 16, is reserved for hosts that have few connections.
        public let maximumConnections: Int
        /// Exchanges that share a connection, where the host speaks HTTP/2; default 100.
        ///
        /// A host is taken to speak what its last response was in, and HTTP/1.1 before the first: a
        /// burst to a new host begins with no more exchanges than it may have connections. Where
        /// the server allows fewer, the others wait in libcurl, and their idle timeouts run.
        public let maximumStreamsPerConnection: Int
        /// Seconds that an unused connection is kept; nil for no limit, default 30.
        ///
        /// It is rounded up to whole seconds, at least one, and the connection is closed up to two seconds
        /// later. If the server announces a shorter time in `Keep-Alive`, the connection is closed one
        /// second before that.
        public let idleConnectionTimeout: TimeInterval?
        /// Seconds after which a connection serves no new exchanges; nil for no limit, default 600.
        ///
        /// It is rounded up to whole seconds, at least one. Later exchanges get a new connection, so that
        /// changes of addresses and certificates are noticed.
        public let maximumConnectionLifetime: TimeInterval?
        /// A file of PEM certificates to trust instead of the system's; nil for the system's.
        public let certificateAuthorityFile: String?
        /// Which servers are trusted, and what TLS with them must be like; default: those that the
        /// authorities vouch for.
        public let trust: Trust
        /// The way that the connections take; default: directly to the host.
        public let route: Route
        /// The version of HTTP to speak; default `.automatic`.
        public let httpVersion: HTTPVersion
        /// What the connections may lead to; nil for anything, which is the default.
        ///
        /// libcurl's transport keeps it. A transport of your own that makes connections must, too.
        public let addressGuard: AddressGuard?
        /// Hosts whose responses may end without TLS's `close_notify` if only the end of the connection
        /// delimits the body; default none.
        ///
        /// Patterns are matched against the URL's host.
        public let hostsWithoutCloseNotify: Set<HostPattern>
        /// What is offered to servers that ask for a certificate; nil for nothing.
        package let identity: TLSIdentity?
        /// A file of PEM revocation lists, one for each authority of a chain; nil where nothing is
        /// checked.
        package let revocationListFile: String?
        /// Decisions about servers' certificates; nil if no hook is asked.
        package let decisions: TrustDecisions?

        package let identifier: UInt64
        private let closings = Locked(Closings())

        /// Makes a pool; limits below 1 count as 1.
        public convenience init(
            maximumConnectionsPerHost: Int = 64,
            maximumConnections: Int = 512,
            maximumStreamsPerConnection: Int = 100,
            idleConnectionTimeout: TimeInterval? = 30,
            maximumConnectionLifetime: TimeInterval? = 600,
            certificateAuthorityFile: String? = nil,
            trust: Trust = Trust(),
            route: Route = Route(),
            httpVersion: HTTPVersion = .automatic,
            addressGuard: AddressGuard? = nil,
            hostsWithoutCloseNotify: Set<HostPattern> = []
        ) {
            self.init(
                maximumConnectionsPerHost: maximumConnectionsPerHost,
                maximumConnections: maximumConnections,
                maximumStreamsPerConnection: maximumStreamsPerConnection,
                idleConnectionTimeout: idleConnectionTimeout,
                maximumConnectionLifetime: maximumConnectionLifetime,
                certificateAuthorityFile: certificateAuthorityFile,
                trust: trust,
                route: route,
                httpVersion: httpVersion,
                addressGuard: addressGuard,
                hostsWithoutCloseNotify: hostsWithoutCloseNotify,
                identity: nil
            )
        }

        /// Makes a pool whose connections offer an identity, or whose servers are asked about.
        package init(
            maximumConnectionsPerHost: Int = 64,
            maximumConnections: Int = 512,
            maximumStreamsPerConnection: Int = 100,
            idleConnectionTimeout: TimeInterval? = 30,
            maximumConnectionLifetime: TimeInterval? = 600,
            certificateAuthorityFile: String? = nil,
            trust: Trust = Trust(),
            route: Route = Route(),
            httpVersion: HTTPVersion = .automatic,
            addressGuard: AddressGuard? = nil,
            hostsWithoutCloseNotify: Set<HostPattern> = [],
            identity: TLSIdentity?,
            revocationListFile: String? = nil,
            decisions: TrustDecisions? = nil
        ) {
            self.maximumConnectionsPerHost = Self.usable(maximumConnectionsPerHost)
            self.maximumConnections = Self.usable(maximumConnections)
            self.maximumStreamsPerConnection = Self.usable(maximumStreamsPerConnection)
            self.idleConnectionTimeout = idleConnectionTimeout
            self.maximumConnectionLifetime = maximumConnectionLifetime
            self.certificateAuthorityFile = certificateAuthorityFile
            self.trust = trust
            self.route = route
            self.httpVersion = httpVersion
            self.addressGuard = addressGuard
            self.hostsWithoutCloseNotify = hostsWithoutCloseNotify
            self.identity = identity
            self.revocationListFile = revocationListFile
            self.decisions = decisions
            identifier = lastIdentifier.add(1, ordering: .relaxed).newValue
        }

        /// At least one, and no more than libcurl can count.
        private static func usable(_ count: Int) -> Int { min(max(1, count), Int(Int32.max)) }

        deinit {
            for closing in closings.withLock({ $0.all }) { closing.value(identifier) { _ in } }
        }

        /// Closes the pool's unused connections in a transport, and then calls `tell` with whether all of the
        /// pool's connections are closed.
        package typealias Closing =
            @Sendable (UInt64, _ tell: @escaping @Sendable (_ hasClosedAll: Bool) -> Void) -> Void

        private struct Closings {
            var all: [Int: Closing] = [:]
            private var lastNumber = 0

            mutating func append(_ closing: @escaping Closing) {
                lastNumber += 1
                all[lastNumber] = closing
            }
        }

        /// Registers how a transport closes its connections, when the pool goes or is closed.
        package func onClosing(_ close: @escaping Closing) {
            closings.withLock { $0.append(close) }
        }

        /// Closes the unused connections; later exchanges get others.
        package func close() async {
            for (number, close) in closings.withLock({ $0.all }) {
                await withCheckedContinuation { continuation in
                    close(identifier) { hasClosedAll in
                        if hasClosedAll { self.forgetClosing(number) }
                        continuation.resume()
                    }
                }
            }
        }

        /// Begins to close the unused connections.
        package func closeSoon() {
            for (number, close) in closings.withLock({ $0.all }) {
                close(identifier) { [weak self] in if $0 { self?.forgetClosing(number) } }
            }
        }

        /// A transport whose connections are all closed registers anew with the next.
        private func forgetClosing(_ number: Int) {
            closings.withLock { $0.all[number] = nil }
        }
    }
}

private let lastIdentifier = Atomic<UInt64>(0)
