import CBluebonnetXML

extension XMLTree {
    /// An error that describes why an XPath expression has no result.
    public struct QueryError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The description of the problem, in English.
        public let message: String

        /// The offset in the expression at which the error was detected, in bytes from 0; nil if
        /// unknown.
        public let offset: Int?

        /// The message and the position, on one line.
        public var description: String {
            offset.map { "\(message), at byte \($0) of the expression" } ?? message
        }

        static let zeroByte = QueryError(
            message: "The expression or one of its namespaces contains a zero byte")
        static let outOfMemory = QueryError(message: "Out of memory")
        static let tooMuchText = QueryError(message: "The strings have more than 64 MiB in total")
        static let withoutElements = QueryError(
            message: "The result does not consist of elements; use strings(forXPath:) instead"
        )

        private init(message: String) {
            self.message = message
            offset = nil
        }

        init(_ error: BluebonnetXMLError) {
            offset = error.byteOffset < 0 ? nil : Int(error.byteOffset)
            message = withUnsafeBytes(of: error.message) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    }
}
