import Foundation

extension JSONResponseSerializer {
    /// Why a body is not read as JSON, and where.
    ///
    /// Only the first error of a body is reported.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The byte of the body, from 0, at which the error is; the body's length where it ends too
        /// early, and nil of a body that is too large.
        ///
        /// It counts the bytes that were received, a byte order mark among them, also where the
        /// body is UTF-16 or UTF-32.
        public let byteOffset: Int?

        /// What is wrong, in English.
        public let message: String

        /// What is wrong and where, in one line.
        public var description: String {
            byteOffset.map { "invalid JSON: \(message) at byte \($0)" } ?? message
        }
    }
}

extension JSONResponseSerializer.ParseError {
    init(tooLarge body: Data, _ limit: Int) {
        self.init(
            byteOffset: nil,
            message: "the body has \(body.count) bytes, more than maximumDocumentSize, "
                + "\(limit), allows"
        )
    }
}
