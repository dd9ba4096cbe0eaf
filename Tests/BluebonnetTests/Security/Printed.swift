import Foundation
import FoundationNetworking

import Bluebonnet

/// Returns every text of a value: interpolated, for a debugger, and dumped.
func printed(_ value: Any) -> String {
    var text = "\(value)\n\(String(reflecting: value))\n"
    dump(value, to: &text)
    if let error = value as? any Error {
        text +=
            "\n\(error.localizedDescription)\n\(error as NSError)\n\((error as NSError).userInfo)"
    }
    if let error = value as? BluebonnetError {
        text += printed(error.urlError) + printed(error.urlError.userInfo) + printed(error.context)
    }
    return text
}

/// A secret, and the forms in which it could appear.
enum Canary {
    static let text = "Canary+7f3a/9"
    static let forms = [
        text, "Canary%2B7f3a%2F9", "Canary+7f3a%2F9", Data(text.utf8).base64EncodedString(),
        Data("user:\(text)".utf8).base64EncodedString(),
    ]

    /// Returns the forms that a text contains.
    static func forms(in text: String) -> [String] { forms.filter { text.contains($0) } }
}
