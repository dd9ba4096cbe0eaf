import Foundation
import Testing

@testable import Bluebonnet
@testable import BluebonnetTargets

@Suite("URLs of targets")
struct TargetURLTests {
    private func url(_ base: String, _ path: String) throws -> String {
        try URL(endpointPath: path, below: try #require(URL(string: base))).absoluteString
    }

    @Test("a path is appended to its base, with or without slashes")
    func joined() throws {
        for base in ["https://h", "https://h/", "https://h/v1", "https://h/v1/"] {
            let root = base.hasSuffix("/") ? base : base + "/"
            #expect(try url(base, "/users") == root + "users")
            #expect(try url(base, "users") == root + "users")
            #expect(try url(base, "users/") == root + "users/")
            #expect(try url(base, "") == base)
        }
    }

    @Test("characters that a path cannot contain are escaped, and valid escapes are kept")
    func escaped() throws {
        #expect(try url("https://h", "a b/é") == "https://h/a%20b/%C3%A9")
        #expect(try url("https://h", "a%20b%2Fc") == "https://h/a%20b%2Fc")
        #expect(try url("https://h", "%zz") == "https://h/%25zz")
        #expect(try url("https://h", "documents:get/a:b") == "https://h/documents:get/a:b")
    }

    @Test("a path never leads to another host, whatever it looks like")
    func sameHost() throws {
        for path in ["http://evil.test/", "/http://evil.test/", "//evil.test/x", "///evil.test"] {
            let text = try url("https://h/v1", path)
            #expect(text.hasPrefix("https://h/v1/"), "\(path): \(text)")
        }
    }

    @Test("a question mark starts a query, after that of the base")
    func query() throws {
        #expect(try url("https://h", "a?b=1 2") == "https://h/a?b=1%202")
        #expect(try url("https://h/v1?key=k", "a") == "https://h/v1/a?key=k")
        #expect(try url("https://h/v1?key=k", "a?b=1") == "https://h/v1/a?key=k&b=1")
        #expect(try url("https://h/v1?key=k", "") == "https://h/v1?key=k")
        #expect(try url("https://h/v1#part", "a") == "https://h/v1/a")
        #expect(try url("https://h/v1", "?b=1") == "https://h/v1?b=1")
        #expect(try url("https://h/v1?k=k", "?b=1") == "https://h/v1?k=k&b=1")
    }

    @Test(
        "a fragment and dot segments are errors",
        arguments: [
            "a#b", "../a", "a/..", "a/./b", "%2e%2E/a", ".%2e", "a?b#c", "a/../\u{301}x",
            "a#\u{301}",
        ])
    func refused(path: String) throws {
        let base = try #require(URL(string: "https://h/v1"))
        #expect(throws: RequestSerializationError.self) {
            try URL(endpointPath: path, below: base)
        }
        struct Bad: TargetType {
            let baseURL: URL
            let path: String
            let method = HTTPMethod.get
            let task = TargetTask.requestPlain
        }
        let target = Bad(baseURL: base, path: path)
        #expect(URL(target: target).absoluteString.hasPrefix("https://h/v1/"))
        #expect {
            try Endpoint(target).urlRequest()
        } throws: { error in
            guard case .requestMapping? = error as? TargetError else { return false }
            return "\(error)".contains("without #")
        }
    }

    @Test("segments that only look like dots are ordinary segments")
    func noDots() throws {
        #expect(try url("https://h", "a..b/.well-known/...") == "https://h/a..b/.well-known/...")
    }
}
