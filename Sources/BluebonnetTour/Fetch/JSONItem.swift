import Bluebonnet

/// A value of the option `--json`: a document, or a member of an object.
enum JSONItem: Equatable {
    case document(FetchBody.Source)
    /// The name of the member, and its value as JSON.
    case member(name: String, value: String)
    /// An argument that is neither.
    case invalid

    init(_ argument: String) {
        let source = FetchBody.Source(argument)
        guard case .text = source else {
            self = .document(source)
            return
        }
        if Self.isJSON(argument) {
            self = .document(source)
        } else if let member = Self.member(argument) {
            self = member
        } else {
            self = .invalid
        }
    }

    /// `name=text` or `name:=JSON`.
    private static func member(_ argument: String) -> JSONItem? {
        // An invalid document is not a member with an odd name.
        guard let first = argument.first, first != "{", first != "[", first != "\"",
            let sign = argument.firstIndex(of: "="), sign > argument.startIndex
        else { return nil }
        let value = String(argument[argument.index(after: sign)...])
        let before = argument.index(before: sign)
        guard argument[before] == ":" else {
            return text(value).map { .member(name: String(argument[..<sign]), value: $0) }
        }
        let name = String(argument[..<before])
        return name.isEmpty || !isJSON(value) ? .invalid : .member(name: name, value: value)
    }

    static func isJSON(_ text: String) -> Bool {
        // A document can be a lone value.
        let options = JSONSerialization.ReadingOptions.fragmentsAllowed
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: options)) != nil
    }

    /// The text as a string of JSON.
    private static func text(_ text: String) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Throws if the items make no document; the error repeats none of them.
    static func check(_ items: [JSONItem]) throws(UsageError) {
        for (index, item) in items.enumerated() where item == .invalid {
            throw UsageError(
                "--json number \(index + 1) is neither JSON nor NAME=TEXT nor NAME:=JSON")
        }
        let documents = items.count { if case .document = $0 { true } else { false } }
        guard documents == 0 || items.count == 1 else {
            throw UsageError("a JSON document stands alone; give one --json")
        }
    }

    /// Returns the document that the items make, with members in their order.
    static func document(of items: [JSONItem]) async throws(UsageError) -> Data {
        if case .document(let source)? = items.first {
            let data = try await FetchBody.contents(of: source)
            guard isJSON(String(decoding: data, as: UTF8.self)) else {
                throw UsageError("what --json is to send is not JSON")
            }
            return data
        }
        let members = items.compactMap { item in
            guard case .member(let name, let value) = item else { return nil as String? }
            return text(name).map { "\($0):\(value)" }
        }
        return Data("{\(members.joined(separator: ","))}".utf8)
    }
}
