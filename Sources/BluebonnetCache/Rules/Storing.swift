import Bluebonnet
import Foundation

/// What a cache keeps of a response, if anything (RFC 9111 section 3).
struct Storing {
    /// The fields to store.
    let fields: [Exchange.Field]
    /// The fields of the request that select the response.
    let selectingFields: [String: String?]

    /// Returns nil if the response must not or need not be stored.
    init?(
        _ head: Exchange.Head, to request: RequestRules, with fields: [Exchange.Field],
        at arrival: Date, in policy: CachePolicy
    ) {
        let rules = ResponseRules(head.fields, statusCode: head.statusCode, receivedAt: arrival)
        let control = rules.control
        // Parts of a body, and answers to conditions, are passed on and not stored.
        guard request.isCacheable, !request.control.noStore,
            head.statusCode != 206, head.statusCode != 304, head.statusCode >= 200
        else { return nil }
        if control.mustUnderstand {
            // `no-store` beside it is for caches that do not know `must-understand`.
            guard Self.understoodStatusCodes.contains(head.statusCode) else { return nil }
        } else if control.noStore {
            return nil
        }
        let kept = Self.storable(head.fields, control, policy)
        // A response that would lose what limits its reuse is not stored.
        for name in ["Cache-Control", "Vary"]
        where kept.values(of: name) != head.fields.values(of: name) { return nil }
        if policy.isShared {
            if control.isPrivate == .all { return nil }
            // Of our own: a cookie is for one user, whatever the server says of the response.
            if kept.contains(where: { $0.name.equalsIgnoringCase("Set-Cookie") }) { return nil }
            if !control.permitsSharing(after: request) { return nil }
        }
        let isAllowed =
            control.isPublic || control.maxAge != nil || rules.expires != nil
            || (policy.isShared ? control.sharedMaxAge != nil : control.isPrivate != nil)
            || ResponseRules.heuristicStatusCodes.contains(head.statusCode)
        guard isAllowed, let selecting = StoredResponse.selectingFields(rules, in: fields)
        else { return nil }
        // What is neither fresh nor can be validated or used after an error is of no use.
        guard
            rules.lifetime(in: policy) > 0 || rules.hasValidator
                || control.staleWhileRevalidate != nil || control.staleIfError != nil
        else { return nil }
        self.fields = kept.dated(arrival)
        selectingFields = selecting
    }

    /// The final status codes whose meaning for a cache this library knows.
    private static let understoodStatusCodes = ResponseRules.heuristicStatusCodes.union([
        302, 303, 307, 400, 401, 403, 500, 502, 503, 504,
    ])

    /// Returns the fields that may be stored (RFC 9111 section 3.1).
    static func storable(
        _ fields: [Exchange.Field], _ control: CacheControl, _ policy: CachePolicy
    ) -> [Exchange.Field] {
        var dropped: Set = [
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
            "upgrade",
        ]
        for name in FieldList.members(of: fields.values(of: "Connection")) {
            dropped.insert(name.lowercased())
        }
        // A cookie that is set again by a later answer would replace a newer one.
        if !policy.isShared { dropped.insert("set-cookie") }
        if case .fields(let names) = control.noCache { dropped.formUnion(names) }
        if policy.isShared, case .fields(let names) = control.isPrivate {
            dropped.formUnion(names)
        }
        return fields.filter { !dropped.contains($0.name.lowercased()) }
    }
}

extension [Exchange.Field] {
    /// Returns the fields with the time of arrival in place of a missing or invalid `Date` (RFC 9110
    /// section 6.6.1).
    func dated(_ arrival: Date) -> [Exchange.Field] {
        let date = firstValue(of: "Date").flatMap { CacheDate.seconds($0, now: arrival) }
        guard date == nil else { return self }
        let text = CacheDate.text(Int64(clamping: arrival.timeIntervalSince1970))
        return filter { !$0.name.equalsIgnoringCase("Date") }
            + [Exchange.Field(name: "Date", value: text)]
    }
}
