import Foundation

/// The body of a POST: a JSON object of 1 KB.
enum PostedDocument {
    static let contentType = "application/json"

    static let data: Data = {
        let start = #"{"id":1042,"name":"Lupinus texensis","notes":""#
        let end = #""}"#
        let padding = String(repeating: "a", count: 1024 - start.utf8.count - end.utf8.count)
        return Data((start + padding + end).utf8)
    }()
}
