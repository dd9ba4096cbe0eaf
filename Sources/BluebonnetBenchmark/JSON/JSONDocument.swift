import Bluebonnet
import Foundation

/// A document like those of web services, with a type for it.
struct JSONDocument {
    let name: String
    let data: Data
    /// The name of its type, which the Go client also has.
    let type: String
    private let works: [JSONWork: () throws -> Void]
    private let written: () throws -> Data

    private init<T: Codable & Sendable>(_ name: String, _ text: String, as type: T.Type) {
        self.name = name
        let data = Data(text.utf8)
        self.data = data
        self.type = "\(type)"
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        let (plain, typed) = (JSONResponseSerializer(), DecodableResponseSerializer(type))
        let bodies = JSONBodyEncoder()
        let value = Result { try decoder.decode(type, from: data) }
        written = { try bodies.data(encoding: value.get()) }
        works = [
            .bytes: { _ = try HTTPResponseSerializer().serialize(data, head: nil) },
            .plain: { _ = try plain.serialize(data, head: nil) },
            .jsonSerialization: { _ = try JSONSerialization.jsonObject(with: data) },
            .typed: { _ = try typed.serialize(data, head: nil) },
            .jsonDecoder: { _ = try decoder.decode(type, from: data) },
            .encoded: { _ = try bodies.data(encoding: value.get()) },
            .jsonEncoder: { _ = try encoder.encode(value.get()) },
        ]
    }

    /// The size of the document when it is written again, in bytes.
    ///
    /// It is nil if the result is the same as for another document.
    var writtenSize: Int? {
        get throws {
            ["catalog, keys reversed", "catalog, spaced"].contains(name)
                ? nil : try written().count
        }
    }

    /// Reads the document in one of the ways, or writes its value.
    func perform(_ work: JSONWork) throws { try works[work]?() }

    /// Returns the document with this name, or nil if there is none.
    ///
    /// The document of 64 MB shows the memory use of reading.
    static func named(_ name: String) -> JSONDocument? {
        switch name {
        case "short":
            JSONDocument(name, CatalogPage.Item.text(1042), as: CatalogPage.Item.self)
        case "catalog, 1 KB": JSONDocument(name, CatalogPage.text(1000), as: CatalogPage.self)
        case "catalog, 10 KB": JSONDocument(name, CatalogPage.text(10_000), as: CatalogPage.self)
        case "catalog, 1 MB":
            JSONDocument(name, CatalogPage.text(1_000_000), as: CatalogPage.self)
        case "catalog, 64 MB":
            JSONDocument(name, CatalogPage.text(64_000_000), as: CatalogPage.self)
        case "catalog, keys reversed":
            JSONDocument(name, CatalogPage.reversedText(10_000), as: CatalogPage.self)
        case "catalog, spaced":
            JSONDocument(name, spaced(CatalogPage.text(10_000)), as: CatalogPage.self)
        case "like twitter": JSONDocument(name, Timeline.text(100), as: Timeline.self)
        case "like citm": JSONDocument(name, spaced(Program.text(200)), as: Program.self)
        case "like canada": JSONDocument(name, Region.text(5000), as: Region.self)
        case "nested": JSONDocument(name, Branch.text(400, depth: 60), as: [Branch].self)
        default: nil
        }
    }

    static let names = [
        "short", "catalog, 1 KB", "catalog, 10 KB", "catalog, 1 MB", "catalog, keys reversed",
        "catalog, spaced", "like twitter", "like citm", "like canada", "nested",
    ]

    static var all: [JSONDocument] { names.compactMap(named) }

    /// Returns the text pretty-printed on many lines.
    ///
    /// No string may contain a bracket, a comma or a colon.
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
