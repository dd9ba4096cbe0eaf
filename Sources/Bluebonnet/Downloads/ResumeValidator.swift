/// A validator that is strong enough to combine bytes of two responses.
enum ResumeValidator: Sendable, Hashable {
    /// A strong entity tag, including its quotes.
    case entityTag(String)
    /// The value of a `Last-Modified` field.
    case lastModified(String)

    /// The minimum age, in seconds, of a `Last-Modified` date that is a strong validator.
    ///
    /// The age is relative to the `Date` of the response. RFC 9110 section 8.8.2.2 requires one
    /// second and synchronized clocks, or a difference so large that the clocks matter little. The
    /// value of 60 seconds comes from its predecessor, RFC 7232.
    private static let minimumAge: Int64 = 60

    /// Creates the strongest validator of a head; returns nil if none is strong.
    init?(_ headers: HTTPHeaders) {
        if let tag = headers.onlyValue(of: "ETag"), Self.isStrongEntityTag(tag) {
            self = .entityTag(tag)
            return
        }
        guard let text = headers.onlyValue(of: "Last-Modified"), let modified = HTTPDate(text),
            let sent = headers.onlyValue(of: "Date").flatMap({ HTTPDate($0) }),
            sent.seconds - modified.seconds >= Self.minimumAge
        else { return nil }
        self = .lastModified(text)
    }

    /// The value to send in `If-Range`.
    var fieldValue: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Returns whether the header fields of a response belong to another representation.
    func isContradicted(by headers: HTTPHeaders) -> Bool {
        switch self {
        case .entityTag(let tag): headers.values(of: "ETag").contains { $0 != tag }
        case .lastModified(let text):
            headers.values(of: "Last-Modified").contains { $0 != text }
        }
    }

    /// Returns whether a text is a strong entity tag (RFC 9110 section 8.8.3) in ASCII.
    ///
    /// Other bytes are rejected, because they could not be sent back unchanged.
    static func isStrongEntityTag(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy {
            $0 == 0x21 || (0x23...0x7E).contains($0)
        }
    }
}

extension HTTPHeaders {
    /// Returns the value of a field that occurs exactly once.
    fileprivate func onlyValue(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }
}
