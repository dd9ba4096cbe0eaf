/// Parameters as the query of a URL or the body of a form: `filter%5Btags%5D%5B%5D=a&page=2`.
///
/// A key inside of a dictionary is `outer[inner]`, an element of an array `name[]`; the members of
/// a set repeat the name and are sorted by their text. Null is a name without `=`. What is empty
/// leaves nothing behind.
struct QueryEncoding {
    private var pairs: [String] = []

    /// The pairs of the parameters in the order of their keys, joined by `&`.
    static func string(of parameters: Parameters) throws(RequestSerializationError) -> String {
        var encoding = QueryEncoding()
        encoding.add(try ParameterWalk.value(of: parameters, for: .query), name: nil)
        return encoding.pairs.joined(separator: "&")
    }

    /// Adds the pairs of a value; its name is escaped already, and nil for the parameters.
    private mutating func add(_ value: ParameterValue, name: String?) {
        switch value {
        case .dictionary(let pairs):
            for (key, value) in pairs {
                let key = PercentEncoding.escaped(key)
                add(value, name: name.map { "\($0)%5B\(key)%5D" } ?? key)
            }
        case .array(let elements):
            for element in elements { add(element, name: (name ?? "") + "%5B%5D") }
        case .set(let members):
            pairs += members.map { Self.string(of: $0, name: name) }.sorted()
        case .null, .bool, .integer, .floating, .decimal, .string, .date, .data:
            let text = value.text.map { "=" + PercentEncoding.escaped($0) }
            pairs.append((name ?? "") + (text ?? ""))
        }
    }

    private static func string(of member: ParameterValue, name: String?) -> String {
        var encoding = QueryEncoding()
        encoding.add(member, name: name)
        return encoding.pairs.joined(separator: "&")
    }
}
