extension BidirectionalCollection<UInt8> {
    /// The bytes without the spaces and tabs at both ends (RFC 9110 section 5.6.3).
    package var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isOptionalWhitespace }),
            let last = lastIndex(where: { !$0.isOptionalWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension String {
    /// The text without the spaces and tabs at both ends (RFC 9110 section 5.6.3).
    package var trimmed: Substring { Substring(utf8.trimmed) }
}

extension Substring {
    /// The text without the spaces and tabs at both ends (RFC 9110 section 5.6.3).
    package var trimmed: Substring { Substring(utf8.trimmed) }
}

extension UInt8 {
    package var isOptionalWhitespace: Bool { self == 0x20 || self == 0x09 }
}
