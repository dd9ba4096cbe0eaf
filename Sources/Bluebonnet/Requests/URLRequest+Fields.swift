import BluebonnetTransport
import Foundation
public import FoundationNetworking

// The header fields of requests are set only here, by assigning the whole dictionary. Foundation's
// `setValue(_:forHTTPHeaderField:)` would capitalize names, and send `X-NC-Account` as
// `X-Nc-Account`. It also ignores values that cannot be sent, which fail the request otherwise.

extension URLRequest {
    /// The header fields, sorted by name, with each name once.
    ///
    /// Setting this property replaces all fields. Names are sent as they are spelled here, while
    /// `setValue(_:forHTTPHeaderField:)` of Foundation capitalizes them. Several values of one name
    /// are joined by commas (RFC 9110 section 5.3).
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set { allHTTPHeaderFields = newValue.isEmpty ? nil : newValue.dictionary }
    }

    /// Sets a field in the spelling of `name`, in place of any other spelling; nil removes it.
    package mutating func setField(_ name: String, to value: String?) {
        // Foundation traps when a copy of a request without a URL is changed.
        guard url != nil, value != nil || allHTTPHeaderFields != nil else { return }
        var fields = allHTTPHeaderFields ?? [:]
        fields.setField(name, to: value)
        allHTTPHeaderFields = fields
    }

    /// Replaces the fields with the names of `headers`, in any spelling.
    ///
    /// If a name repeats among the new fields, its values are joined by commas.
    package mutating func replaceFields(with headers: HTTPHeaders) throws(RequestSerializationError)
    {
        guard !headers.isEmpty else { return }
        for field in headers { try field.check() }
        guard var fields = allHTTPHeaderFields else {
            allHTTPHeaderFields = headers.dictionary
            return
        }
        for (name, value) in headers.dictionary { fields.setField(name, to: value) }
        allHTTPHeaderFields = fields
    }

    /// Adds the fields whose names the request does not have, ignoring case.
    ///
    /// If a name repeats among the new fields, its values are joined by commas.
    mutating func addMissing(_ headers: HTTPHeaders) throws(RequestSerializationError) {
        guard !headers.isEmpty else { return }
        for field in headers { try field.check() }
        var fields = allHTTPHeaderFields ?? [:]
        for (name, value) in headers.dictionary where !fields.hasField(name) {
            fields[name] = value
        }
        allHTTPHeaderFields = fields
    }

    /// Removes the fields for which a closure returns true.
    mutating func removeFields(where isRemoved: (_ name: String, _ value: String) -> Bool) {
        // As in `setField(_:to:)`; such a request is never sent.
        guard url != nil, let fields = allHTTPHeaderFields else { return }
        let kept = fields.filter { !isRemoved($0.key, $0.value) }
        if kept.count < fields.count { allHTTPHeaderFields = kept }
    }

    /// Sets a body and, if the request has no Content-Type, the type of the body.
    package mutating func setBody(_ body: Data, contentType: String) {
        var fields = allHTTPHeaderFields ?? [:]
        if !fields.hasField("Content-Type") {
            fields["Content-Type"] = contentType
            allHTTPHeaderFields = fields
        }
        httpBody = body
    }
}

extension [String: String] {
    /// Returns whether a field with the name exists, in any spelling.
    fileprivate func hasField(_ name: String) -> Bool {
        keys.contains { $0.caseInsensitiveEquals(name) }
    }

    /// Sets a field in the spelling of `name`, in place of any other spelling; nil removes it.
    fileprivate mutating func setField(_ name: String, to value: String?) {
        // A request's own dictionary can have several spellings of a name.
        for former in keys.filter({ $0 != name && $0.caseInsensitiveEquals(name) }) {
            self[former] = nil
        }
        self[name] = value
    }
}
