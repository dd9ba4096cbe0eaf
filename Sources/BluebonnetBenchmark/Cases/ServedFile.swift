import BluebonnetTestSupport
import Foundation

/// The files the server offers.
enum ServedFile: String, CaseIterable, Sendable {
    case small = "small.json"
    case medium = "medium.json"
    case large = "large.bin"
    case huge = "huge.bin"

    /// What a POST is answered with too.
    static let smallText =
        #"{"id":1042,"name":"Lupinus texensis","bloom":"2026-04-12","petals":14}"#

    /// Writes the file and returns its size.
    func write(into directory: URL) throws -> Int {
        let file = directory.appendingPathComponent(rawValue)
        switch self {
        case .small:
            try Data(Self.smallText.utf8).write(to: file)
        case .medium:
            try Data(Self.mediumJSON().utf8).write(to: file)
        case .large:
            // Random: holes of a sparse file might be served from one cached zero page, which no
            // real server does.
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

    /// A page of search results of about 10 KB.
    private static func mediumJSON() -> String {
        var items: [String] = []
        var size = 0
        while size < 10_000 {
            let id = 1000 + items.count
            let item = """
                {"id":\(id),"sku":"BB-\(id * 7919)","title":"Wildflower seeds, packet \(id)",\
                "price":{"amount":\(Double(id % 97) + 0.5),"currency":"USD"},\
                "tags":["spring","native","full sun"],"in_stock":\(id % 3 != 0),\
                "url":"https://example.com/products/\(id)"}
                """
            items.append(item)
            size += item.utf8.count + 1
        }
        return #"{"page":1,"items":["# + items.joined(separator: ",") + "]}"
    }
}
