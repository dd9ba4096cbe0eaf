import BluebonnetTransport
package import Testing

extension Trait where Self == ConditionTrait {
    /// Runs where the libcurl of the process speaks HTTP/2.
    package static var speaksHTTP2: Self {
        .enabled("HTTP/2 takes libcurl 8.14") { LibcurlQuirks.current.speaksHTTP2 }
    }

    /// Runs where it does not.
    package static var refusesHTTP2: Self {
        .disabled("this libcurl speaks HTTP/2") { LibcurlQuirks.current.speaksHTTP2 }
    }
}
