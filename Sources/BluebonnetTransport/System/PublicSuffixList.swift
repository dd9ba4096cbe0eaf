import CBluebonnetLibPSL

/// The public suffix list: the names below which anyone can register a name (publicsuffix.org).
///
/// No cookie may be set for such a name. Pass names in lowercase ASCII, without a dot at either
/// end. The first lookup reads the list: the distribution's file if it is newer than the list in
/// libpsl, otherwise the list in libpsl.
package enum PublicSuffixList {
    // Sendable: libpsl only reads the list after it has been created, and it is never freed.
    nonisolated(unsafe) private static let list: OpaquePointer? = psl_latest(nil) ?? psl_builtin()

    /// Returns whether a host may set cookies for a domain.
    ///
    /// The domain must be the host itself, or a parent domain that is not a public suffix.
    package static func permits(cookieDomain: String, host: String) -> Bool {
        guard isName(cookieDomain), isName(host) else { return false }
        if cookieDomain == host { return true }
        guard let list else {
            return host.hasSuffix("." + cookieDomain) && cookieDomain.utf8.contains(dot)
        }
        return psl_is_cookie_domain_acceptable(list, host, cookieDomain) == 1
    }

    /// Returns whether anyone can register names below a name.
    ///
    /// A name without a dot counts as a public suffix, and so does an invalid name.
    package static func isPublicSuffix(_ name: String) -> Bool {
        guard isName(name) else { return true }
        // Without a list, only its default rule `*` is left: a name without a dot is a suffix.
        guard let list else { return !name.utf8.contains(dot) }
        return psl_is_public_suffix(list, name) == 1
    }

    /// Returns false for text that C would truncate, or that libpsl would take for another name.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return false }
        return first != dot && last != dot && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

private let dot = UInt8(ascii: ".")
