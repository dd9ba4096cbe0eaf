extension Exchange {
    /// What became of the content codings of a response's body (RFC 9110 section 8.4).
    ///
    /// The head keeps its `Content-Encoding` field whatever became of them, so this alone tells whether
    /// the pieces of the body are still coded.
    public struct ContentCodings: Sendable, Hashable {
        /// The codings that the transport removed, in the order in which the sender applied them.
        ///
        /// They have their registered names in lower case: `gzip` also stands for `x-gzip`.
        public var removed: [String] {
            get { box.removed }
            set { box = Box(removed: newValue, unknown: unknown) }
        }
        /// The codings that the transport does not know, as the response names them.
        ///
        /// The body then still has all of its codings, also those that are known.
        public var unknown: [String] {
            get { box.unknown }
            set { box = Box(removed: removed, unknown: newValue) }
        }

        /// Behind a reference: reports are copied often, and most have none.
        private var box: Box

        private final class Box: Sendable {
            let removed: [String]
            let unknown: [String]

            init(removed: [String], unknown: [String]) {
                self.removed = removed
                self.unknown = unknown
            }
        }

        /// Makes notes of codings that were removed, and of others that are unknown.
        public init(removed: [String] = [], unknown: [String] = []) {
            box = Box(removed: removed, unknown: unknown)
        }

        /// Whether they name the same codings.
        public static func == (left: Self, right: Self) -> Bool {
            left.removed == right.removed && left.unknown == right.unknown
        }

        /// Feeds the names of all codings to the hasher.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(removed)
            hasher.combine(unknown)
        }
    }
}
