/// The spelling of keys in parameters, at every level.
///
/// In a query or a form, it applies to all keys. In JSON, it applies to the coding keys of types,
/// but not to the keys of dictionaries, which are data.
public enum ParameterKeyEncoding: Sendable {
    /// Unchanged.
    case unchanged
    /// Lowercase words joined by `_`: `userID` becomes `user_id`, and `URLPath` becomes `url_path`.
    case snakeCase
    /// Lowercase words joined by `-`: `userID` becomes `user-id`, and `URLPath` becomes `url-path`.
    case kebabCase
    /// The text that a closure returns for a key.
    case custom(@Sendable (String) -> String)

    func spelling(of key: String) -> String {
        switch self {
        case .unchanged: key
        case .snakeCase: Self.words(of: key, joinedBy: "_")
        case .kebabCase: Self.words(of: key, joinedBy: "-")
        case .custom(let spelling): spelling(key)
        }
    }

    /// Returns the lowercase words of a key; the closure returns whether one begins at an index.
    package static func words(
        of key: String, joinedBy separator: Character,
        beginning beginsWord: (_ characters: [Character], _ index: Int) -> Bool = beginsWord
    ) -> String {
        let characters = Array(key)
        var text = ""
        for (index, character) in characters.enumerated() {
            if beginsWord(characters, index) { text.append(separator) }
            text += character.lowercased()
        }
        return text
    }

    /// Returns whether a word begins at an index, without a separator before it.
    package static func beginsWord(_ characters: [Character], at index: Int) -> Bool {
        guard index > 0, characters[index].isUppercase else { return false }
        let previous = characters[index - 1]
        if previous.isLowercase || previous.isNumber { return true }
        // The last of several capitals belongs to the next word, as in `URLPath`.
        let next = index + 1
        return previous.isUppercase && next < characters.count && characters[next].isLowercase
    }
}

extension QueryEncoding {
    /// The spelling of keys in a query or a form.
    public typealias KeyStyle = ParameterKeyEncoding
}
