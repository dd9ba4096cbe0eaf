import Bluebonnet
import Foundation

/// A document such as web services send, with a type for it.
struct JSONDocument {
    let name: String
    let data: Data
    private let foundation: (Data) throws -> Void
    private let bluebonnet: (Data) throws -> Void

    private init<T: Decodable & Sendable>(_ name: String, _ text: String, as type: T.Type) {
        self.name = name
        data = Data(text.utf8)
        let decoder = JSONDecoder()
        let serializer = DecodableResponseSerializer(type)
        foundation = { _ = try decoder.decode(type, from: $0) }
        bluebonnet = { _ = try serializer.serialize($0, head: nil) }
    }

    /// Decodes it with `JSONDecoder`.
    func decodeByFoundation() throws { try foundation(data) }

    /// Decodes it with `DecodableResponseSerializer`.
    func decodeByBluebonnet() throws { try bluebonnet(data) }

    static var all: [JSONDocument] {
        let catalog = CatalogPage.text(10_000)
        return [
            JSONDocument("short", CatalogPage.Item.text(1042), as: CatalogPage.Item.self),
            JSONDocument("catalog, 1 KB", CatalogPage.text(1000), as: CatalogPage.self),
            JSONDocument("catalog, 10 KB", catalog, as: CatalogPage.self),
            JSONDocument("catalog, 1 MB", CatalogPage.text(1_000_000), as: CatalogPage.self),
            JSONDocument(
                "catalog, keys reversed", CatalogPage.reversedText(10_000), as: CatalogPage.self),
            JSONDocument("catalog, spaced", spaced(catalog), as: CatalogPage.self),
            JSONDocument("like twitter", Timeline.text(100), as: Timeline.self),
            JSONDocument("like citm", spaced(Program.text(200)), as: Program.self),
            JSONDocument("like canada", Region.text(5000), as: Region.self),
            JSONDocument("nested", Branch.text(400, depth: 100), as: [Branch].self),
        ]
    }

    /// The text on many lines, as people like to read it; no string may have a bracket, a comma or a colon.
    private static func spaced(_ text: String) -> String {
        var (result, depth, isInString) = ("", 0, false)
        func line() -> String { "\n" + String(repeating: "    ", count: depth) }
        for character in text {
            if character == "\"" { isInString.toggle() }
            switch character {
            case _ where isInString: result.append(character)
            case "{", "[":
                depth += 1
                result += "\(character)\(line())"
            case "}", "]":
                depth -= 1
                result += "\(line())\(character)"
            case ",": result += ",\(line())"
            case ":": result += ": "
            default: result.append(character)
            }
        }
        return result
    }
}
