import CBluebonnetXML

extension XMLTree {
    /// The reason why an XPath expression gave no result.
    public struct QueryError: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong, in English.
        public let message: String

        /// The byte of the expression, from 0, where the error was noticed; nil where that is
        /// not known.
        public let offset: Int?

        /// The message and the place in one line.
        public var description: String {
            offset.map { "\(message), at byte \($0) of the expression" } ?? message
        }

        static let zeroByte = QueryError(
            message: "The expression or one of its namespaces has a zero byte")
        static let outOfMemory = QueryError(message: "Out of memory")
        static let tooMuchText = QueryError(message: "The strings have more than 64 MiB")
        static let withoutElements = QueryError(
            message: "The result is not made of elements; strings(forXPath:) reads other results"
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
