/// How keys in parameters are spelled, at every level.
///
/// A query or a form spells all of them so. JSON spells the coding keys of types so, and leaves the keys of
/// dictionaries, which are data.
public enum ParameterKeyEncoding: Sendable {
    /// As they are.
    case unchanged
    /// As lower-case words joined by `_`: `userID` is `user_id`, `URLPath` is `url_path`.
    case snakeCase
    /// As lower-case words joined by `-`: `userID` is `user-id`, `URLPath` is `url-path`.
    case kebabCase
    /// As the text that a closure makes of them.
    case custom(@Sendable (String) -> String)

    func spelling(of key: String) -> String {
        switch self {
        case .unchanged: key
        case .snakeCase: Self.words(of: key, joinedBy: "_")
        case .kebabCase: Self.words(of: key, joinedBy: "-")
        case .custom(let spelling): spelling(key)
        }
    }

    private static func words(of key: String, joinedBy separator: Character) -> String {
        let characters = Array(key)
        var text = ""
        for (index, character) in characters.enumerated() {
            if beginsWord(characters, at: index) { text.append(separator) }
            text += character.lowercased()
        }
        return text
    }

    /// Whether a word begins there that nothing separates from the one before.
    private static func beginsWord(_ characters: [Character], at index: Int) -> Bool {
        guard index > 0, characters[index].isUppercase else { return false }
        let previous = characters[index - 1]
        if previous.isLowercase || previous.isNumber { return true }
        // The last capital of several belongs to the word that goes on: `URLPath`.
        let next = index + 1
        return previous.isUppercase && next < characters.count && characters[next].isLowercase
    }
}

extension QueryEncoding {
    /// How the keys of dictionaries are spelled.
    public typealias KeyStyle = ParameterKeyEncoding
}
