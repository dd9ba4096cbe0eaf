import Foundation

/// A slow reader of the fields for the connection, which works in a different way from the parser.
struct PersistenceReference {
    /// The time in seconds, or nil if the head has none.
    let usableTime: TimeInterval?

    init(connection: [String], keepAlive: [String]) {
        let parameters = Self.elements(keepAlive).map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { Self.trimmed(String($0)).lowercased() }
        }
        .filter { $0.count == 2 }
        let numbers = { (name: String) in
            parameters.filter { $0[0] == name }.compactMap { Self.number($0[1]) }
        }
        if Self.elements(connection).contains(where: { $0.lowercased() == "close" })
            || numbers("max").contains(0)
        {
            usableTime = 0
        } else {
            usableTime = numbers("timeout").min().map { max(0, $0 - 1) }
        }
    }

    private static func elements(_ values: [String]) -> [String] {
        values.flatMap { $0.components(separatedBy: ",") }.map(trimmed)
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }

    private static func number(_ text: String) -> TimeInterval? {
        let isNumber =
            (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? TimeInterval(text) : nil
    }
}
