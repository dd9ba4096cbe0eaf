import Foundation

enum SnakeCase {
    /// Converts a key like `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase`.
    ///
    /// Leading and trailing underscores are kept, and a key of one word is not changed.
    static func camelCase(of key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let name = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return key[..<first] + name + key[key.index(after: last)...]
    }
}
