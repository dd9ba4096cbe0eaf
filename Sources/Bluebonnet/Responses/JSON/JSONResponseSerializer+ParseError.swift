import Foundation

extension JSONResponseSerializer {
    /// An error that describes why a body was not read as JSON, and where.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The offset of the error in the body, in bytes from 0.
        ///
        /// The body's length if the text ends unexpectedly; nil if the body is too large or memory
        /// runs out. The offset counts the bytes as received, including a byte order mark, also in
        /// UTF-16 and UTF-32.
        public let byteOffset: Int?

        /// The description of the problem, in English.
        public let message: String

        /// The problem and its position, on one line.
        public var description: String {
            byteOffset.map { "invalid JSON: \(message) at byte \($0)" } ?? message
        }
    }
}

extension JSONResponseSerializer.ParseError {
    init(tooLarge body: Data, _ limit: Int) {
        self.init(
            byteOffset: nil,
            message: "the body has \(body.count) bytes, more than the maximumDocumentSize "
                + "of \(limit)"
        )
    }
}
