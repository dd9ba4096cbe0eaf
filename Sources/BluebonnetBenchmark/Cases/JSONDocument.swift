import Foundation

/// A document such as web services send: an object with a list of records.
struct JSONDocument {
    let name: String
    let data: Data

    static var all: [JSONDocument] {
        [
            JSONDocument(name: "1 KB", size: 1_000),
            JSONDocument(name: "10 KB", size: 10_000),
            JSONDocument(name: "1 MB", size: 1_000_000),
        ]
    }

    /// As many records as make about this many bytes.
    private init(name: String, size: Int) {
        self.name = name
        var records: [String] = []
        var length = 0
        while length < size - 200 {
            let record = Self.record(records.count)
            length += record.utf8.count + 1
            records.append(record)
        }
        let text = """
            {"page":1,"total":\(records.count),"next":null,"records":[\(records.joined(separator: ","))]}
            """
        data = Data(text.utf8)
    }

    private static func record(_ number: Int) -> String {
        """
        {"id":\(100_000 + number * 7919),"name":"Person number \(number)","email":\
        "person\(number)@example.com","active":\(number.isMultiple(of: 3)),"manager":null,\
        "score":\(Double(number * 31 % 1000) / 8),"tags":["alpha","beta","gruß \\u00e9"],\
        "address":{"street":"\(number) Long Street","city":"Springfield","postcode":\
        "\(10_000 + number % 90_000)","location":[\(Double(number % 180) + 0.5),\
        \(-Double(number % 90) - 0.25)]}}
        """
    }
}
