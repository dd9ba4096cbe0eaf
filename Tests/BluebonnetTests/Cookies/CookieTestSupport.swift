import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

/// The start time of the tests.
let start = Date(timeIntervalSince1970: 1_700_000_000)

extension CookieJar {
    /// Stores cookies like a response from a URL.
    mutating func store(
        _ lines: String..., from url: String = "https://www.example.com/", after seconds: Double = 0
    ) throws {
        let url = try #require(URL(string: url))
        store(lines, from: url, at: start + seconds)
    }

    /// Returns the Cookie field for a URL without counting as a use.
    func sent(
        to url: String = "https://www.example.com/", after seconds: Double = 0
    ) throws -> String? {
        var copy = self
        return copy.cookieHeader(for: try #require(URL(string: url)), at: start + seconds)
    }
}

/// Returns the Cookie field for one URL after a response from another.
func sent(
    _ lines: String..., from: String = "https://www.example.com/",
    to: String = "https://www.example.com/", after seconds: Double = 0
) throws -> String? {
    var jar = CookieJar()
    jar.store(lines, from: try #require(URL(string: from)), at: start)
    return try jar.sent(to: to, after: seconds)
}
