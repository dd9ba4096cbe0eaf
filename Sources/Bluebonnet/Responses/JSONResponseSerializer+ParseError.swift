extension JSONResponseSerializer {
    /// Why a body is not read as JSON, and where.
    ///
    /// Only the first error of a body is reported.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The byte of the body, from 0, at which the error is; the body's length where it ends too
        /// early, and nil where there is no such place.
        public let byteOffset: Int?

        /// What is wrong, in English.
        public let message: String

        /// What is wrong and where, in one line.
        public var description: String {
            byteOffset.map { "invalid JSON: \(message) at byte \($0)" } ?? message
        }
    }
}
