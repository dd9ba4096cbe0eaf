import BluebonnetTestSupport
import Foundation

/// The files that the server offers.
enum ServedFile: String, CaseIterable, Sendable {
    case small = "small.json"
    case medium = "medium.json"
    case large = "large.bin"
    case huge = "huge.bin"

    /// The content of ``small``, which is also the response to a POST.
    static let smallText =
        #"{"id":1042,"name":"Lupinus texensis","bloom":"2026-04-12","petals":14}"#

    /// Writes the file and returns its size.
    func write(into directory: URL) throws -> Int {
        let file = directory.appendingPathComponent(rawValue)
        switch self {
        case .small:
            try Data(Self.smallText.utf8).write(to: file)
        case .medium:
            try Data(CatalogPage.text(10_000).utf8).write(to: file)
        case .large:
            // Random, because the holes of a sparse file could all be served from one cached zero
            // page. No real server does that.
            try RandomFile.write(256 << 20, to: file, seed: 1)
        case .huge:
            try RandomFile.write(2 << 30, to: file, seed: 1)
        }
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size]
        guard let size = size as? NSNumber else {
            throw BenchmarkFailure("could not read the size of \(file.path)")
        }
        return size.intValue
    }
}
