/// Addresses that begin with the same bits, such as `10.0.0.0/8` and `fd00::/8` (RFC 4632).
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    let first: IPAddress
    let prefixLength: Int

    /// Unchecked: the address must have no bit beyond the prefix.
    init(first: IPAddress, prefixLength: Int) {
        self.first = first
        self.prefixLength = prefixLength
    }

    /// Reads a range: an address, a slash and the length of the prefix, or one address alone.
    ///
    /// IPv4 is four decimal numbers, IPv6 has neither brackets nor a zone. An address with bits
    /// beyond its prefix, such as `10.0.0.1/8`, is refused: it tells of a mistake.
    public init(_ text: String) throws(InvalidText) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else {
            throw InvalidText(text: text, fault: "does not begin with an IPv4 or IPv6 address")
        }
        first = address
        prefixLength = try Self.prefixLength(parts.dropFirst().first, address, text)
        guard address.value << (128 - hostBitCount) == 0 else {
            throw InvalidText(
                text: text, fault: "has bits beyond its prefix; write the range's first address")
        }
    }

    private static func prefixLength(
        _ digits: Substring?, _ address: IPAddress, _ text: String
    ) throws(InvalidText) -> Int {
        guard let digits else { return address.bitCount }
        let isNumber =
            digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (digits.utf8.count == 1 || digits.utf8.first != 0x30)
        guard isNumber, let length = Int(digits), length <= address.bitCount else {
            throw InvalidText(
                text: text, fault: "has no prefix length of 0 to \(address.bitCount)")
        }
        return length
    }

    /// The bits that differ between its addresses.
    private var hostBitCount: Int { first.bitCount - prefixLength }

    /// Whether there is no other address in it than one.
    var isSingleAddress: Bool { hostBitCount == 0 }

    func contains(_ address: IPAddress) -> Bool {
        address.family == first.family
            && address.value >> hostBitCount == first.value >> hostBitCount
    }

    /// The range as it is read, always with its length.
    public var description: String { "\(first)/\(prefixLength)" }

    /// The text that is no range.
    public struct InvalidText: Error, Sendable, Hashable, CustomStringConvertible {
        /// The text.
        public let text: String
        /// What is wrong with it, in words that follow it.
        let fault: String

        /// What the text was and what is wrong with it.
        public var description: String { "the address range \(text.debugDescription) \(fault)" }
    }
}
