/// A range of addresses that begin with the same bits (RFC 4632).
///
/// Examples are `10.0.0.0/8` and `fd00::/8`.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    let first: IPAddress
    let prefixLength: Int

    /// Creates a range without a check.
    ///
    /// The address must have no bits beyond the prefix.
    init(first: IPAddress, prefixLength: Int) {
        self.first = first
        self.prefixLength = prefixLength
    }

    /// Creates a range from an address, a slash and a prefix length, or from one address alone.
    ///
    /// An IPv4 address has four decimal numbers. An IPv6 address has neither brackets nor a zone.
    /// An address with bits beyond its prefix, such as `10.0.0.1/8`, is rejected as a likely
    /// mistake.
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

    /// The number of bits that differ between the addresses.
    private var hostBitCount: Int { first.bitCount - prefixLength }

    /// Whether the range contains only one address.
    var isSingleAddress: Bool { hostBitCount == 0 }

    func contains(_ address: IPAddress) -> Bool {
        address.family == first.family
            && address.value >> hostBitCount == first.value >> hostBitCount
    }

    /// The range in the form that ``init(_:)`` accepts, always with a prefix length.
    public var description: String { "\(first)/\(prefixLength)" }

    /// The error thrown for a text that is not a range.
    public struct InvalidText: Error, Sendable, Hashable, CustomStringConvertible {
        /// The text.
        public let text: String
        /// The fault of the text, as a phrase that follows the text in a sentence.
        let fault: String

        /// A description of the text and its fault.
        public var description: String { "the address range \(text.debugDescription) \(fault)" }
    }
}
