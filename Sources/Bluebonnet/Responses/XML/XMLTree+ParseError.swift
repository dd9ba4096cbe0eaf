import CBluebonnetXML

extension XMLTree {
    /// An error that describes why a document was refused, and where.
    ///
    /// Only the first error of a document is reported.
    public struct ParseError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The line of the error, from 1.
        public let line: Int

        /// The column of the error in characters, from 1.
        ///
        /// It is the position at which the parser detected the error, which can be shortly after
        /// its cause.
        public let column: Int

        /// The description of the problem, in English.
        ///
        /// It can quote names from the document.
        public let message: String

        /// The position and the message, on one line.
        public var description: String {
            "line \(line), column \(column): \(message)"
        }

        static let withoutRoot = ParseError(line: 1, column: 1, message: "No root element")

        private init(line: Int, column: Int, message: String) {
            self.line = line
            self.column = column
            self.message = message
        }

        init(_ error: BluebonnetXMLError) {
            line = Int(error.line)
            column = Int(error.column)
            message = withUnsafeBytes(of: error.message) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    }
}
