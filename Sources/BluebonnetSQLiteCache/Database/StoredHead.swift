import BluebonnetCache
import Foundation

/// A response as it is stored.
struct StoredHead: Sendable {
    let bytes: Data
    let checksum: Int

    init(bytes: Data, checksum: Int) { (self.bytes, self.checksum) = (bytes, checksum) }

    init(_ response: StoredResponse) throws {
        bytes = try JSONEncoder().encode(response)
        checksum = bytes.checksum
    }

    /// Returns the response, which must be for a key; returns nil if it is not what was stored.
    func response(for key: CacheKey) -> StoredResponse? {
        guard bytes.checksum == checksum,
            let response = try? JSONDecoder().decode(StoredResponse.self, from: bytes),
            response.key == key
        else { return nil }
        return response
    }
}

extension StoredResponse {
    /// What two responses for a key have in common if one replaces the other.
    var selectingKey: Data {
        var key = Data()
        // With lengths, so that no text can look like the next field.
        func add(_ text: String) { key += Data("\(text.utf8.count):\(text)".utf8) }
        for (name, value) in selectingFields.sorted(by: { $0.key < $1.key }) {
            add(name)
            if let value { add(value) } else { key += Data("-".utf8) }
        }
        return key
    }
}
