public import Bluebonnet
import Foundation
import FoundationNetworking

/// The head of a response in a cache, and what is needed to decide about its reuse.
///
/// It never changes. A validation replaces it with another one, of the same ``id`` and body.
public final class StoredResponse: Sendable {
    /// Identifies the response and its body in a store.
    public let id: UUID
    /// The URL and partition for which it is stored.
    public let key: CacheKey
    /// The status code.
    public let statusCode: Int
    /// The header fields, without those that no cache stores (RFC 9111 section 3.1).
    public let fields: [Exchange.Field]
    /// The fields of the request that `Vary` names, in lowercase, with their values; nil for a field
    /// that the request did not have.
    public let selectingFields: [String: String?]
    /// When the request was sent that the response answers or that validated it.
    public let requestDate: Date
    /// When the response came, or its last validation.
    public let responseDate: Date
    /// The session clock's time at ``responseDate``; nil if another process has stored it.
    let responseInstant: Duration?
    /// Whether the response may be stored on a disk.
    public let isAllowedOnDisk: Bool
    let rules: ResponseRules
    /// The host of the URL, which each use counts.
    let host: String
    /// The head without `Age`, to which each answer adds its own.
    let head: Exchange.Head

    init(
        id: UUID, key: CacheKey, statusCode: Int, fields: [Exchange.Field],
        selectingFields: [String: String?], requestDate: Date, responseDate: Date,
        responseInstant: Duration?, isAllowedOnDisk: Bool = true
    ) {
        self.id = id
        self.key = key
        self.statusCode = statusCode
        self.fields = fields
        self.selectingFields = selectingFields
        self.requestDate = requestDate
        self.responseDate = responseDate
        self.responseInstant = responseInstant
        self.isAllowedOnDisk = isAllowedOnDisk
        host = key.host
        rules = ResponseRules(fields, statusCode: statusCode, receivedAt: responseDate)
        head = Exchange.Head(
            statusCode: statusCode, fields: fields.filter { !$0.name.equalsIgnoringCase("Age") })
    }

    /// Returns a copy as the hook of a task wants it.
    ///
    /// What selects the response stays as the server has said it, or others would get what is not theirs.
    func changed(to proposal: CachedResponse) -> StoredResponse {
        let vary = fields.filter { $0.name.equalsIgnoringCase("Vary") }
        let known = proposal.fields.values(of: "Vary")
        return StoredResponse(
            id: id, key: key, statusCode: statusCode,
            fields: proposal.fields + vary.filter { !known.contains($0.value) },
            selectingFields: selectingFields, requestDate: requestDate, responseDate: responseDate,
            responseInstant: responseInstant,
            isAllowedOnDisk: proposal.storagePolicy == .allowed)
    }

    /// Returns a copy with the fields of a response that validates this one (RFC 9111 section 3.2).
    func updated(
        with update: [Exchange.Field], requestDate: Date, responseDate: Date, instant: Duration
    ) -> StoredResponse {
        let new = update.filter { !$0.name.equalsIgnoringCase("Content-Length") }
            .dated(responseDate)
        // The age before the validation says nothing about the time after it.
        let names = Set(new.map { $0.name.lowercased() }).union(["age"])
        return StoredResponse(
            id: id, key: key, statusCode: statusCode,
            fields: fields.filter { !names.contains($0.name.lowercased()) } + new,
            selectingFields: selectingFields, requestDate: requestDate, responseDate: responseDate,
            responseInstant: instant, isAllowedOnDisk: isAllowedOnDisk)
    }
}

extension StoredResponse: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, url, partition, statusCode, names, values, selecting, requestDate, responseDate
    }

    /// Reads a response that was written by another process, or earlier.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let names = try container.decode([String].self, forKey: .names)
        let values = try container.decode([String].self, forKey: .values)
        guard names.count == values.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .values, in: container, debugDescription: "there is not one for each name")
        }
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            key: CacheKey(
                normalized: try container.decode(String.self, forKey: .url),
                partition: try container.decode(String.self, forKey: .partition)),
            statusCode: try container.decode(Int.self, forKey: .statusCode),
            fields: zip(names, values).map { Exchange.Field(name: $0, value: $1) },
            selectingFields: try container.decode([String: String?].self, forKey: .selecting),
            requestDate: try container.decode(Date.self, forKey: .requestDate),
            responseDate: try container.decode(Date.self, forKey: .responseDate),
            responseInstant: nil)
    }

    /// Writes everything but the time of the session's clock.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(key.url, forKey: .url)
        try container.encode(key.partition, forKey: .partition)
        try container.encode(statusCode, forKey: .statusCode)
        try container.encode(fields.map(\.name), forKey: .names)
        try container.encode(fields.map(\.value), forKey: .values)
        try container.encode(selectingFields, forKey: .selecting)
        try container.encode(requestDate, forKey: .requestDate)
        try container.encode(responseDate, forKey: .responseDate)
    }
}
