import Synchronization

extension Exchange {
    /// A set of connections that exchanges may share, and nobody else.
    ///
    /// Trust and limits belong to the pool, so no exchange rides on a connection that was made
    /// under other rules. Connections close when the last reference to the pool goes.
    public final class Pool: Sendable {
        /// Connections, and so exchanges under way, to one scheme, host and port; default 64.
        public let maximumConnectionsPerHost: Int
        /// Connections, and so exchanges under way, in all; default 512.
        public let maximumConnections: Int
        /// A file of PEM certificates to trust instead of the system's; nil for the system's.
        public let certificateAuthorityFile: String?

        package let identifier: UInt64
        private let endings = Locked<[@Sendable (UInt64) -> Void]>([])

        /// Makes a pool; limits below 1 count as 1.
        public init(
            maximumConnectionsPerHost: Int = 64,
            maximumConnections: Int = 512,
            certificateAuthorityFile: String? = nil
        ) {
            self.maximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
            self.maximumConnections = max(1, maximumConnections)
            self.certificateAuthorityFile = certificateAuthorityFile
            identifier = lastIdentifier.add(1, ordering: .relaxed).newValue
        }

        deinit {
            for ending in endings.withLock({ $0 }) {
                ending(identifier)
            }
        }

        /// Registers what to do, on an arbitrary thread, when the pool goes.
        package func onRelease(_ ending: @escaping @Sendable (UInt64) -> Void) {
            endings.withLock { $0.append(ending) }
        }
    }
}

private let lastIdentifier = Atomic<UInt64>(0)
