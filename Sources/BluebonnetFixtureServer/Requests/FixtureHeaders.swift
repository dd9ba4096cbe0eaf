/// The header fields of a request, in the order in which they arrived.
///
/// Names keep the client's spelling, but lookups ignore case. Repeated fields stay separate.
public struct FixtureHeaders: Sendable, Hashable, RandomAccessCollection {
    /// One header field line.
    ///
    /// The value has no surrounding white space. Bytes that are not UTF-8 are replaced.
    public struct Field: Sendable, Hashable {
        /// The field name as the client spelled it.
        public let name: String

        /// The field value without surrounding white space.
        public let value: String
    }

    private var fields: [Field] = []

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }

    /// The value of the first field with this name, or nil if there is none.
    ///
    /// The name is compared without regard to ASCII case.
    public subscript(name: String) -> String? {
        fields.first { Self.isSameName($0.name, name) }?.value
    }

    /// Returns the values of all fields with this name, in order of arrival.
    ///
    /// The name is compared without regard to ASCII case.
    public func values(of name: String) -> [String] {
        fields.lazy.filter { Self.isSameName($0.name, name) }.map(\.value)
    }

    mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Returns the comma-separated members of all fields with this name, in lower case.
    func tokens(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.lowercased().split(separator: ",").map { member in
                String(member.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
            }
        }
    }

    static func isSameName(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
