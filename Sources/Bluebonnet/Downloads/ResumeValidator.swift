/// What tells a representation from a later one, strongly enough to join bytes of two responses.
enum ResumeValidator: Sendable, Hashable {
    /// A strong entity tag with its quotes.
    case entityTag(String)
    /// The text of a `Last-Modified` field.
    case lastModified(String)

    /// How long before the response a file must have changed last for its date to be a strong
    /// validator, in seconds.
    ///
    /// RFC 9110 section 8.8.2.2 asks for one second and for clocks that agree, or for a difference
    /// that makes clocks matter little; a minute is the figure of its predecessor, RFC 7232.
    private static let minimumAge: Int64 = 60

    /// The strongest validator of a head; nil where none is strong.
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

    /// As it is sent in `If-Range`.
    var fieldValue: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether a response's fields say that it is of another representation.
    func isContradicted(by headers: HTTPHeaders) -> Bool {
        switch self {
        case .entityTag(let tag): headers.values(of: "ETag").contains { $0 != tag }
        case .lastModified(let text):
            headers.values(of: "Last-Modified").contains { $0 != text }
        }
    }

    /// RFC 9110 section 8.8.3, without bytes beyond ASCII: those could not be sent back as they
    /// came.
    static func isStrongEntityTag(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy {
            $0 == 0x21 || (0x23...0x7E).contains($0)
        }
    }
}

extension HTTPHeaders {
    /// The value of a name that is there exactly once.
    fileprivate func onlyValue(of name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }
}
