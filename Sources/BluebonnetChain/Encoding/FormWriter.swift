import Bluebonnet

/// Writes the segments of a form with the settings of an encoder.
struct FormWriter {
    let style: URLEncodedFormEncoder

    /// Returns the form of an outermost object.
    func text(of members: ParameterMembers) throws -> String {
        try text(of: members) { $0 }
    }

    private func text(
        of members: ParameterMembers, named name: (String) -> String
    ) throws -> String {
        let segments = try members.inOrder.map { try text(of: $0.value, named: name($0.key)) }
        return joined(style.alphabetizeKeyValuePairs ? segments.sorted() : segments)
    }

    /// Returns the joined segments of a value, or an empty string if it writes none.
    private func text(of tree: ParameterTree, named name: String) throws -> String {
        switch tree {
        case .value(let value): try text(of: value, named: name)
        case .array(let elements): try text(of: elements, named: name)
        case .set(let elements): try text(of: sorted(elements), named: name)
        case .dictionary(let members), .object(let members):
            try text(of: members) { name + style.keyPathEncoding.suffix($0) }
        case .invalid(let error): throw error
        }
    }

    private func text(of elements: [ParameterTree], named name: String) throws -> String {
        var segments: [String] = []
        for element in elements {
            // Elements that write nothing take no index, so the server finds no gaps.
            let key = style.arrayEncoding.key(of: segments.count, in: name)
            let segment = try text(of: element, named: key)
            if !segment.isEmpty { segments.append(segment) }
        }
        return joined(segments)
    }

    /// Returns the elements of a set in an order that does not depend on the process.
    private func sorted(_ elements: [ParameterTree]) throws -> [ParameterTree] {
        try elements.map { element in
            // Inner sets first: sorting them again for each outer set would take exponential time.
            let element = try element.mapSets(sorted)
            return (element, try text(of: element, named: ""))
        }
        .sorted { $0.1 < $1.1 }
        .map(\.0)
    }

    private func text(of value: ParameterValue, named name: String) throws -> String {
        switch value {
        case .null: style.nilEncoding.text().map { segment(name, $0) } ?? ""
        case .bool(let value): segment(name, style.boolEncoding.text(of: value))
        case .floating: segment(name, Self.number(value.text ?? ""))
        case .date(let date): segment(name, try text(of: date, named: name))
        case .data(let data): try text(of: data, named: name)
        case .integer, .hugeInteger, .decimal, .string, .array, .set, .dictionary:
            segment(name, value.text ?? "")
        }
    }

    private func text(of date: Date, named name: String) throws -> String {
        if let objection = style.dateEncoding.objection(to: date) {
            throw RequestSerializationError(keyPath: name, reason: objection)
        }
        return try style.dateEncoding.text(of: date)
    }

    private func text(of data: Data, named name: String) throws -> String {
        switch style.dataEncoding {
        case .base64: segment(name, data.base64EncodedString())
        case .custom(let encoding): segment(name, try encoding(data))
        case .deferredToData:
            try text(of: data.map { .value(.integer(Int128($0))) }, named: name)
        }
    }

    /// Returns the digits of a floating-point number as Swift prints them, with `.0` for a whole
    /// number.
    private static func number(_ digits: String) -> String {
        digits.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
            ? digits + ".0" : digits
    }

    private func segment(_ name: String, _ value: String) -> String {
        let key = style.keyEncoding.spelling(of: name)
        return "\(style.escaping.escapedUTF8(key))=\(style.escaping.escapedUTF8(value))"
    }

    private func joined(_ segments: [String]) -> String {
        segments.filter { !$0.isEmpty }.joined(separator: "&")
    }
}
