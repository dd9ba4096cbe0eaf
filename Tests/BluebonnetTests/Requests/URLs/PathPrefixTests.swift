import BluebonnetTestSupport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Paths that are appended to a base URL")
struct PathPrefixTests {
    private static let bases = [
        "http://h.test", "http://h.test/", "http://h.test/v1", "http://h.test/v1/",
        "https://h.test:8080/a%2Fb/", "http://[::1]:80/x/", "http://h.test/x//",
        "http://127.0.0.1/a.b/", "http://u:p@h.test/b/", "HTTP://H.test/~A!/",
    ]

    private static let pieces = [
        "a", "b", "Z", "0", "/", "/", "/", "//", ".", "..", "/.", "/..", "%2e", "/%2E", "%41",
        "%c3%a9", "%", "%4", "%zz", "?", "#", ":", "@", "é", "~", "-_", "!$&'()*+,;=", "[", "{",
        " ", "\\", "\u{301}", "://", "http:",
    ]

    @Test("the URL is the one that resolving gives (RFC 3986 section 5.2)")
    func sameAsResolving() throws {
        var generator = SeededGenerator(seed: RandomWalks.firstSeed)
        var count = 0
        for _ in 0..<RandomWalks.count(40_000) {
            let text = try #require(Self.bases.randomElement(using: &generator))
            let base = try #require(HTTPSessionManager(baseURL: URL(string: text)).baseURL)
            let path = (0..<Int.random(in: 0...7, using: &generator))
                .compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
            guard let url = try #require(PathPrefix(of: base)).url(of: path) else { continue }
            count += 1
            let isAbsolute = path.hasPrefix("/")
            for reference in [path] + (isAbsolute ? [] : ["./" + path]) {
                let resolved = URL(reference: reference, relativeTo: base)
                guard url != resolved || url.absoluteString != resolved?.absoluteString else {
                    continue
                }
                Issue.record(
                    "\(path) below \(base) is \(url), not \(String(describing: resolved)); seed \(RandomWalks.firstSeed)"
                )
                return
            }
        }
        #expect(count > RandomWalks.count(40_000) / 20)
    }

    @Test(
        "usual paths are appended",
        arguments: ["a", "/a", "a/b.json", "/a/", "a?b=c/../d:e", "a%20b", "a/b;c=1", "-/1@2"])
    func usual(path: String) throws {
        let base = try #require(URL(string: "http://h.test/v1/"))
        #expect(PathPrefix(of: base)?.url(of: path) != nil)
    }

    @Test(
        "a base that resolving could change has no prefix",
        arguments: [
            "http://h.test/a/../b/", "http://h.test/./", "http://h.test/.a/", "http://h.test/a?b",
            "http://h.test/a/#b", "http://h.test//a/", "http:///a/", "/a/", "mailto:a@h.test",
            "http://h.test/a:b/",
        ])
    func bases(base: String) throws {
        #expect(PathPrefix(of: try #require(URL(string: base))) == nil)
    }
}
