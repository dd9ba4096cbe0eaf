import Bluebonnet
import Foundation

/// A way to read a document.
enum JSONReading: String, CaseIterable {
    case plain
    case jsonSerialization = "JSONSerialization"
    case typed
    case jsonDecoder = "JSONDecoder"

    func read(_ document: JSONDocument) throws {
        switch self {
        case .plain: _ = try JSONResponseSerializer().serialize(document.data, head: nil)
        case .jsonSerialization: _ = try JSONSerialization.jsonObject(with: document.data)
        case .typed: try document.decodeByBluebonnet()
        case .jsonDecoder: try document.decodeByFoundation()
        }
    }
}

/// `bluebonnet-benchmark read`: reads a document so many times, for a profiler.
struct ReadCommand {
    private let reading: JSONReading
    private let document: JSONDocument
    private let count: Int

    init(_ arguments: some Collection<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let reading = JSONReading(rawValue: arguments[0]),
            let document = JSONDocument.named(arguments[1]),
            let count = Int(arguments[2])
        else { throw UsageError(message: "expected a way to read, a document and a number") }
        (self.reading, self.document, self.count) = (reading, document, count)
    }

    func run() throws {
        for _ in 0..<count { try reading.read(document) }
    }
}
