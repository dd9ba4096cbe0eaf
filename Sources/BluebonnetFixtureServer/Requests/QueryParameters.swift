/// The percent-decoded parameters of a query string.
struct QueryParameters {
    private var values: [String: String] = [:]

    init(_ query: String) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first else { continue }
            values[Self.decode(name)] = Self.decode(parts.count > 1 ? parts[1] : "")
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Decodes percent escapes and leaves incomplete ones unchanged.
    private static func decode(_ text: Substring) -> String {
        var decoded: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = escapedByte(rest.prefix(2)) {
                decoded.append(value)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func escapedByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.first != UInt8(ascii: "+") else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
