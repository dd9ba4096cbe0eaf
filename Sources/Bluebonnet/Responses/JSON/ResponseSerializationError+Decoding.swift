import Foundation

extension ResponseSerializationError {
    /// Creates an error that describes on one line where and why decoding failed.
    package init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self.init(error, context.codingPath, Self.mismatch(type, context))
        case .valueNotFound(let type, let context):
            self.init(error, context.codingPath, "expected \(type) but found null")
        case .keyNotFound(let key, let context):
            self.init(error, context.codingPath + [key], "the key is missing")
        case .dataCorrupted(let context):
            self.init(error, context.codingPath, context.debugDescription)
        @unknown default:
            self.init(reason: "\(error)", decodingError: error)
        }
    }

    private init(_ error: DecodingError, _ path: [any CodingKey], _ text: String) {
        let place = Self.place(path)
        self.init(
            reason: place.isEmpty ? text : "\(place): \(text)", decodingError: error)
    }

    private static func mismatch(_ type: any Any.Type, _ context: DecodingError.Context) -> String {
        // Only Foundation's sentence contains the type that was found.
        let words = context.debugDescription.components(separatedBy: "but found ")
        guard words.count == 2 else { return "expected \(type): \(context.debugDescription)" }
        let found = words[1].replacingOccurrences(of: " instead", with: "")
            .trimmingCharacters(in: CharacterSet(charactersIn: ". "))
        return "expected \(type) but found \(found)"
    }

    /// Returns the path in Swift's notation: `user.emails[2]`.
    static func place(_ path: [any CodingKey]) -> String {
        var place = ""
        for key in path {
            if let index = key.intValue, key.stringValue == "Index \(index)" {
                place += "[\(index)]"
            } else {
                place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return place
    }
}
