import CBluebonnetLibPSL

/// The names under which anybody can register, which no cookie may span (publicsuffix.org).
///
/// Names are given in lower case and in ASCII, without a dot at either end. The list is read when
/// the first name is looked up: the distribution's file where it is newer than libpsl, else the
/// one within libpsl.
package enum PublicSuffixList {
    // Sendable: libpsl only reads the list once it is made, and it is never freed.
    nonisolated(unsafe) private static let list: OpaquePointer? = psl_latest(nil) ?? psl_builtin()

    /// Whether a host may set cookies for a domain: the host itself, or a domain above it that is
    /// no public suffix.
    package static func permits(cookieDomain: String, host: String) -> Bool {
        guard isName(cookieDomain), isName(host) else { return false }
        if cookieDomain == host { return true }
        guard let list else {
            return host.hasSuffix("." + cookieDomain) && cookieDomain.utf8.contains(dot)
        }
        return psl_is_cookie_domain_acceptable(list, host, cookieDomain) == 1
    }

    /// Whether anybody can register below a name; a name without a dot counts as one such, and so
    /// does what is no name.
    package static func isPublicSuffix(_ name: String) -> Bool {
        guard isName(name) else { return true }
        // Without a list there remains the rule that every list ends with.
        guard let list else { return !name.utf8.contains(dot) }
        return psl_is_public_suffix(list, name) == 1
    }

    /// What C would cut short, or libpsl would take for another name, is no name.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return first != dot && last != dot && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

private let dot = UInt8(ascii: ".")
