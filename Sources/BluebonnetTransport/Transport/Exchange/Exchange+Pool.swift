public import Foundation
import Synchronization

extension Exchange {
    /// A set of connections that exchanges share.
    ///
    /// Trust, route, address guard, version and limits belong to the pool, so no exchange uses a
    /// connection that was opened under other rules. The connections close when the last reference
    /// to the pool is released.
    public final class Pool: Sendable {
        /// The most connections, and so running exchanges, to one scheme, host and port.
        ///
        /// The default is 64. The host is the host of the URL even if a proxy is used. Connections
        /// to a proxy are limited only by ``maximumConnections``.
        public let maximumConnectionsPerHost: Int
        /// The most connections, and so running exchanges, of the whole pool.
        ///
        /// The default is 512. The last sixteenth, at most 16, is reserved for hosts that answer and
        /// have few connections, so that slow hosts cannot hold all of them.
        public let maximumConnections: Int
        /// The most exchanges that share a connection to a host that speaks HTTP/2.
        ///
        /// The default is 100. A host is assumed to speak the version of its last response, and
        /// HTTP/1.1 before the first one. A burst to a new host therefore begins with no more
        /// exchanges than ``maximumConnectionsPerHost``. If the server allows fewer streams, the
        /// other exchanges wait in libcurl, and their idle timeouts run.
        public let maximumStreamsPerConnection: Int
        /// The seconds for which an unused connection is kept, or nil for no limit.
        ///
        /// The default is 30. The value is rounded up to whole seconds, at least one, and the
        /// connection is closed up to two seconds later. If the server announces a shorter time in
        /// `Keep-Alive`, the connection is closed one second before that.
        public let idleConnectionTimeout: TimeInterval?
        /// The seconds after which a connection gets no new exchanges, or nil for no limit.
        ///
        /// The default is 600. The value is rounded up to whole seconds, at least one. Later
        /// exchanges get a new connection, so that changes of addresses and certificates take
        /// effect.
        public let maximumConnectionLifetime: TimeInterval?
        /// A file of PEM certificates to trust instead of the system's, or nil for the system's.
        public let certificateAuthorityFile: String?
        /// The rules for trusting servers and for TLS.
        ///
        /// By default, servers are trusted if an authority vouches for their certificates.
        public let trust: Trust
        /// The route of the connections.
        ///
        /// By default, they go directly to the host.
        public let route: Route
        /// The version of HTTP to speak.
        ///
        /// The default is `.automatic`.
        public let httpVersion: HTTPVersion
        /// The rules for the hosts and addresses of connections, or nil, the default, to allow all.
        ///
        /// libcurl's transport enforces them. A custom transport that opens connections must do so
        /// too.
        public let addressGuard: AddressGuard?
        /// The hosts whose responses may end without TLS's `close_notify`.
        ///
        /// This matters for a body that is delimited only by the end of the connection. The default
        /// is empty. Patterns are matched against the host of the URL.
        public let hostsWithoutCloseNotify: Set<HostPattern>
        /// The identity to offer to servers that request a certificate, or nil for none.
        package let identity: TLSIdentity?
        /// A file of PEM revocation lists, one for each authority of a chain, or nil for no check.
        package let revocationListFile: String?
        /// The decisions about servers' certificates, or nil if no hook makes any.
        package let decisions: TrustDecisions?

        package let identifier: UInt64
        private let closings = Locked(Closings())

        /// Creates a pool, in which limits below 1 count as 1.
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

        /// Creates a pool with an identity, a file of revocation lists, or decisions about servers.
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

        /// Whether the client shows a certificate of its own, so that responses can be for it alone.
        public var hasClientIdentity: Bool { identity != nil }

        /// Returns a count of at least 1 and at most the largest that libcurl accepts.
        private static func usable(_ count: Int) -> Int { min(max(1, count), Int(Int32.max)) }

        deinit {
            for closing in closings.withLock({ $0.all }) { closing.value(identifier) { _ in } }
        }

        /// A closure that closes the pool's unused connections in a transport.
        ///
        /// It then calls `tell` with whether all connections of the pool are closed.
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

        /// Registers a closure that is called when the pool is closed or released.
        package func onClosing(_ close: @escaping Closing) {
            closings.withLock { $0.append(close) }
        }

        /// Closes the unused connections and returns when that is done.
        ///
        /// Later exchanges get new connections.
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

        /// Begins to close the unused connections, and returns immediately.
        package func closeSoon() {
            for (number, close) in closings.withLock({ $0.all }) {
                close(identifier) { [weak self] in if $0 { self?.forgetClosing(number) } }
            }
        }

        /// Removes a closure.
        ///
        /// A transport without open connections registers again with the next one.
        private func forgetClosing(_ number: Int) {
            closings.withLock { $0.all[number] = nil }
        }
    }
}

private let lastIdentifier = Atomic<UInt64>(0)
