extension Exchange {
    /// The status and header fields of a final response.
    ///
    /// The fields stay as the bytes that arrived until somebody asks for them.
    public struct Head: Sendable {
        /// The status code, 200 to 999.
        public let statusCode: Int
        package let block: FieldBlock
        /// The length that the fields declare for the body.
        package let declaredLength: Int?

        package init(statusCode: Int, block: FieldBlock, declaredLength: Int?) {
            self.statusCode = statusCode
            self.block = block
            self.declaredLength = declaredLength
        }

        /// Makes a head from fields, as a stub transport does.
        public init(statusCode: Int, fields: [Field] = []) {
            let block = FieldBlock(fields)
            self.init(
                statusCode: statusCode,
                block: block,
                declaredLength: try? ContentLength.declared(by: block)
            )
        }

        /// All fields in the order they arrived, repeats included.
        public var fields: [Field] { block.fields }

        /// The value of the first field of that name, whatever the case it is written in.
        public subscript(name: String) -> String? { block.firstValue(of: name) }
    }
}
