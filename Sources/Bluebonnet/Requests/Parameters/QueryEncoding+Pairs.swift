import Foundation

extension QueryEncoding {
    /// A name with brackets and its value, both unescaped.
    package typealias Pair = (name: String, value: ParameterValue)

    /// Returns the parameters as pairs, joined by `&`.
    ///
    /// Escapes represent bytes in the string encoding, which must include ASCII.
    func string(
        of parameters: Parameters,
        in stringEncoding: String.Encoding
    ) throws(RequestSerializationError) -> String {
        let pairs = try pairs(of: parameters)
        let escaping = PercentEncoding(spaces: spaces, stringEncoding: stringEncoding)
        var texts: [String] = []
        texts.reserveCapacity(pairs.count)
        for (name, value) in pairs {
            guard let name = escaping.escaped(name), let suffix = suffix(of: value, escaping) else {
                throw RequestSerializationError(
                    keyPath: name,
                    reason: "it has a character that \(stringEncoding) cannot encode; use UTF-8"
                )
            }
            texts.append(name + suffix)
        }
        return texts.joined(separator: "&")
    }

    /// Returns the pairs of the parameters in order.
    package func pairs(of parameters: Parameters) throws(RequestSerializationError) -> [Pair] {
        let root = try ParameterWalk.value(
            of: parameters, for: .query,
            in: ParameterStyle(dates: dates, data: data, sortsKeys: sortsKeys))
        var pairs: [Pair] = []
        add(root, named: nil, to: &pairs)
        return pairs
    }

    /// Adds the pairs of a value; the name is nil for the parameters themselves.
    private func add(_ value: ParameterValue, named name: String?, to pairs: inout [Pair]) {
        switch value {
        case .dictionary(let members):
            for (key, value) in spelled(members) {
                add(value, named: name.map { "\($0)[\(key)]" } ?? key, to: &pairs)
            }
        case .array(let elements):
            // Elements without pairs have no index, so that the receiver finds no gaps.
            var index = 0
            for element in elements {
                let count = pairs.count
                add(element, named: arrays.name(of: index, in: name ?? ""), to: &pairs)
                if pairs.count > count { index += 1 }
            }
        case .set(let members):
            add(unordered: members, named: name, to: &pairs)
        case .null where nulls == .omitted:
            break
        case .null, .bool, .integer, .hugeInteger, .floating, .decimal, .string, .date, .data:
            pairs.append((name ?? "", value))
        }
    }

    /// Returns the members of a dictionary under their spelled keys, sorted again if necessary.
    private func spelled(_ members: [(key: String, value: ParameterValue)]) -> [Pair] {
        guard case .unchanged = keys else {
            let spelled = members.map { (keys.spelling(of: $0.key), $0.value) }
            return sortsKeys ? spelled.sorted { $0.0 < $1.0 } : spelled
        }
        return members.map { ($0.key, $0.value) }
    }

    private func add(
        unordered members: [ParameterValue],
        named name: String?,
        to pairs: inout [Pair]
    ) {
        let groups = members.map { member in
            var pairs: [Pair] = []
            add(member, named: name, to: &pairs)
            let escaping = PercentEncoding()
            let texts = pairs.map { $0.name + (suffix(of: $0.value, escaping) ?? "") }
            return (text: texts.joined(separator: "&"), pairs: pairs)
        }
        pairs += groups.sorted { $0.text < $1.text }.flatMap(\.pairs)
    }

    /// Returns the text after the name, or nil if the string encoding cannot encode a character.
    private func suffix(of value: ParameterValue, _ escaping: PercentEncoding) -> String? {
        guard let text = text(of: value) else { return "" }
        return escaping.escaped(text).map { "=" + $0 }
    }

    /// Returns the text of a scalar; nil for a null that is sent as a name only.
    package func text(of value: ParameterValue) -> String? {
        switch value {
        case .null where nulls == .nameOnly: nil
        case .null: nulls == .null ? "null" : ""
        case .bool(let value) where booleans == .literal: value ? "true" : "false"
        default: value.text ?? ""
        }
    }
}
