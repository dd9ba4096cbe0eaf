import Bluebonnet
import Foundation
import FoundationNetworking

/// The texts of values, to be searched for secrets.
final class PrintedTexts: Sendable {
    private let texts = Locked<[(place: String, text: String)]>([])

    var all: [(place: String, text: String)] { texts.withLock { $0 } }

    /// Keeps every text that a program could create from a value.
    func add(_ place: String, _ value: Any) {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        if let error = value as? any Error {
            text += "\(error.localizedDescription)\n\(error as NSError)\n"
            text += "\((error as NSError).userInfo)\n"
        }
        text += Mirror(reflecting: value).children.map { "\($0)" }.joined(separator: "\n")
        texts.withLock { $0.append((place, text)) }
        if let error = value as? BluebonnetError {
            add(place, error.context)
            add(place, error.urlError)
            add(place, error.urlError.userInfo)
            if let below = error.urlError.userInfo[NSUnderlyingErrorKey] { add(place, below) }
        }
    }
}
