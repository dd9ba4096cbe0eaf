/// The position of a parser in the extensions of a chunk (RFC 9112 section 7.1.1).
///
/// The extensions are discarded. They only need to be well-formed, so that the line ends where
/// every other recipient sees its end.
enum ChunkExtension {
    /// In whitespace after the size, a name or a value, which only `;` or `=` can follow.
    case beforeSemicolon, beforeEqualsSign
    case beforeName, name, beforeValue, value, quoted, quotedPair, afterQuoted

    /// Returns the position after a byte, or nil if the byte is not allowed here.
    func next(_ byte: UInt8) -> Self? {
        switch self {
        case .beforeSemicolon, .afterQuoted: separator(byte)
        case .beforeName: byte.isFieldWhiteSpace ? self : byte.isTokenByte ? .name : nil
        case .name: byte.isTokenByte ? .name : Self.beforeEqualsSign.next(byte)
        case .beforeEqualsSign:
            switch byte {
            case UInt8(ascii: "="): .beforeValue
            case UInt8(ascii: ";"): .beforeName
            default: byte.isFieldWhiteSpace ? self : nil
            }
        case .beforeValue:
            switch byte {
            case UInt8(ascii: "\""): .quoted
            default: byte.isFieldWhiteSpace ? self : byte.isTokenByte ? .value : nil
            }
        case .value: byte.isTokenByte ? .value : separator(byte)
        case .quoted:
            switch byte {
            case UInt8(ascii: "\""): .afterQuoted
            case UInt8(ascii: "\\"): .quotedPair
            default: byte.isQuotable ? .quoted : nil
            }
        case .quotedPair: byte.isQuotable ? .quoted : nil
        }
    }

    private func separator(_ byte: UInt8) -> Self? {
        if byte == UInt8(ascii: ";") { return .beforeName }
        return byte.isFieldWhiteSpace ? .beforeSemicolon : nil
    }

    /// Whether the line can end here.
    var mayEnd: Bool {
        switch self {
        case .name, .value, .afterQuoted: true
        case .beforeSemicolon, .beforeEqualsSign, .beforeName, .beforeValue, .quoted, .quotedPair:
            false
        }
    }
}

extension UInt8 {
    /// Whether the byte is allowed in a quoted string, or after a backslash there.
    fileprivate var isQuotable: Bool { self == 0x09 || (self >= 0x20 && self != 0x7F) }
}
