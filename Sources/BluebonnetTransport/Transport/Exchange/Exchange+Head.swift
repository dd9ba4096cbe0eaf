extension Exchange {
    /// The status code and header fields of a final response.
    ///
    /// The fields are stored as the received bytes and decoded when they are first accessed.
    public struct Head: Sendable {
        /// The status code, 200 to 999.
        public let statusCode: Int
        package let block: FieldBlock
        /// The length that the fields declare for the body, or nil if they declare none.
        package let declaredLength: Int?

        package init(statusCode: Int, block: FieldBlock, declaredLength: Int?) {
            self.statusCode = statusCode
            self.block = block
            self.declaredLength = declaredLength
        }

        /// Creates a head from fields, for example in a stub transport.
        public init(statusCode: Int, fields: [Field] = []) {
            let block = FieldBlock(fields)
            self.init(
                statusCode: statusCode,
                block: block,
                declaredLength: try? ContentLength.declared(by: block)
            )
        }

        /// Returns a copy with further fields behind the others, for example of a cache.
        public func adding(_ fields: [Field]) -> Head {
            let block = FieldBlock(self.block, adding: fields)
            let isLength = fields.contains { $0.name.caseInsensitiveEquals("Content-Length") }
            return Head(
                statusCode: statusCode, block: block,
                declaredLength: isLength ? try? ContentLength.declared(by: block) : declaredLength)
        }

        /// All fields in the order in which they arrived, including repeated ones.
        public var fields: [Field] { block.fields }

        /// The value of the first field with a name, ignoring case, or nil if there is none.
        public subscript(name: String) -> String? { block.firstValue(of: name) }
    }
}
