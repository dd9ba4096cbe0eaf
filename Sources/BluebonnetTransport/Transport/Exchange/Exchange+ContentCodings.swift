extension Exchange {
    /// The content codings of a response that were removed or are unknown (RFC 9110 section 8.4).
    ///
    /// The head always keeps its `Content-Encoding` field. Use this value to find out whether the
    /// pieces of the body are still encoded.
    public struct ContentCodings: Sendable, Hashable {
        /// The codings that the transport removed, in the order in which the sender applied them.
        ///
        /// They have their registered names in lowercase. `gzip` also stands for `x-gzip`.
        public var removed: [String] {
            get { box.removed }
            set { box = Box(removed: newValue, unknown: unknown) }
        }
        /// The codings that the transport does not know, as named in the response.
        ///
        /// If there are any, the body still has all of its codings, even the known ones.
        public var unknown: [String] {
            get { box.unknown }
            set { box = Box(removed: removed, unknown: newValue) }
        }

        /// Stored by reference: reports are copied often, and most have no codings.
        private var box: Box

        private final class Box: Sendable {
            let removed: [String]
            let unknown: [String]

            init(removed: [String], unknown: [String]) {
                self.removed = removed
                self.unknown = unknown
            }
        }

        /// Creates a value with the removed and the unknown codings.
        public init(removed: [String] = [], unknown: [String] = []) {
            box = Box(removed: removed, unknown: unknown)
        }

        /// Returns whether two values name the same codings.
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
