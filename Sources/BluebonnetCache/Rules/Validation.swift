import Bluebonnet
import Foundation

extension StoredResponse {
    /// The fields that ask whether the response is still valid (RFC 9111 section 4.3.1).
    var conditions: [Exchange.Field] {
        var conditions: [Exchange.Field] = []
        if let tag = fields.firstValue(of: "ETag"), rules.entityTag != nil {
            conditions.append(Exchange.Field(name: "If-None-Match", value: tag))
        }
        if let date = fields.firstValue(of: "Last-Modified"), rules.lastModified != nil {
            conditions.append(Exchange.Field(name: "If-Modified-Since", value: date))
        }
        return conditions
    }

    /// Returns whether a 304 or a response to HEAD speaks of this response (RFC 9111 sections 4.3.4
    /// and 4.3.5).
    ///
    /// Without a validator, it speaks of the only response that the request selects.
    func isMeant(by update: ResponseRules, isOnly: Bool) -> Bool {
        if let tag = update.entityTag {
            guard let own = rules.entityTag else { return false }
            return tag.isStrong ? tag.isIdentical(to: own) : tag.isEquivalent(to: own)
        }
        if let date = update.lastModified { return date == rules.lastModified }
        // The server need not repeat a validator that it was sent.
        return isOnly
    }

    /// Returns the response after its validation, as the caller gets it whose request validated it.
    func freshened(
        by head: Exchange.Head, sentAt requestDate: Date, receivedAt now: CacheTime
    ) -> StoredResponse {
        updated(
            with: head.fields, requestDate: requestDate, responseDate: now.date,
            instant: now.instant)
    }

    /// Returns what may be stored of a response after its validation; nil if the stored one stays as
    /// it was, because the request or the validation forbids to store anything of it.
    func storable(
        after request: RequestRules, with fields: [Exchange.Field], in policy: CachePolicy
    ) -> StoredResponse? {
        let head = Exchange.Head(statusCode: statusCode, fields: self.fields)
        return Storing(head, to: request, with: fields, at: responseDate, in: policy).map {
            StoredResponse(
                id: id, key: key, statusCode: statusCode, fields: $0.fields,
                selectingFields: $0.selectingFields, requestDate: requestDate,
                responseDate: responseDate, responseInstant: responseInstant,
                isAllowedOnDisk: isAllowedOnDisk)
        }
    }
}

/// The conditions of a request, as they apply to a response (RFC 9110 section 13.2.2).
struct Conditions {
    private let tags: [String]
    private let dates: [String]

    init(_ fields: [Exchange.Field]) {
        tags = fields.values(of: "If-None-Match")
        dates = fields.values(of: "If-Modified-Since")
    }

    /// The names of the fields that ask for a response only if it has changed.
    static let names: Set = ["if-none-match", "if-modified-since"]

    /// Returns whether the caller already has the response, so that 304 answers it.
    func areMet(by response: StoredResponse) -> Bool {
        if !tags.isEmpty {
            // `*` stands for any representation, and there is one.
            if tags.contains(where: { Substring($0).trimmingOptionalWhitespace() == "*" }) {
                return true
            }
            guard let own = response.rules.entityTag else { return false }
            return EntityTag.list(tags).contains { $0.isEquivalent(to: own) }
        }
        guard dates.count == 1,
            let date = CacheDate.seconds(dates[0], now: response.responseDate)
        else { return false }
        return (response.rules.lastModified ?? response.rules.date) <= date
    }

    /// The fields of a 304 (RFC 9110 section 15.4.5).
    static func fieldsOfNotModified(_ fields: [Exchange.Field]) -> [Exchange.Field] {
        let kept: Set = [
            "age", "cache-control", "cache-status", "content-location", "date", "etag", "expires",
            "last-modified", "vary",
        ]
        return fields.filter { kept.contains($0.name.lowercased()) }
    }
}
