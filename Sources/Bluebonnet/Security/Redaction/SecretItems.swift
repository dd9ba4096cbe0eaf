import BluebonnetTransport
import Foundation

// By bytes throughout, for a mark that combines with a sign makes another `Character` of it.
extension Substring {
    /// The items of a query or form with `<redacted>` for the values of those whose names say that they are secret.
    func redactingItems() -> String {
        utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { items in
            items.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
                .map { Substring($0).redactingItem() }.joined(separator: ";")
        }.joined(separator: "&")
    }

    private func redactingItem() -> String {
        guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(self) }
        let name = self[..<sign].replacing("+", with: " ")
        guard SecretFieldNames.contains(name.removingPercentEncoding ?? String(name)) else {
            return String(self)
        }
        return "\(self[...sign])\(SecretSearch.mark)"
    }
}
